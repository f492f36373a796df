import { expect, test } from 'vitest'
import { operationIds } from '../../functions/operations.ts'
import { useDashboard } from './dashboard/dashboard-page.ts'

const { open } = useDashboard()

test('the local API reference shows every operation and loads nothing from other hosts', async () => {
  const { page } = await open('/docs')
  await page.waitForSelector('.opblock')
  expect(await page.locator('.opblock').count()).toBeGreaterThanOrEqual(operationIds.length)
  await page.click('.opblock-summary >> nth=0')
  await page.waitForSelector('.opblock-body')
})
