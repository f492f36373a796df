import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { deploymentSettings } from '../../infra/settings/settings.ts'
import { samples } from '../../local/samples/samples.ts'
import { sharedService } from '../support/services/service.ts'

const page = readFileSync('docs/first-day.md', 'utf8')

test('the settings of docs/first-day.md can be deployed', () => {
  const [, settings = ''] = /```json\n([\s\S]*?)```/.exec(page) ?? []
  expect(deploymentSettings(JSON.parse(settings))).toMatchObject({ stage: 'prod' })
})

test('the API accepts what the commands of docs/first-day.md send', async () => {
  const { call } = sharedService()
  const bodies = Array.from(page.matchAll(/-d '(\{.*\})'/g), ([, body = '']) => body)
  const [product = '', allowlist = ''] = bodies
  const registered = await call('POST /product', { body: JSON.parse(product) })
  expect(registered).toMatchObject({ status: 200 })
  const { apiKey } = registered.json.data
  const body = JSON.parse(allowlist.replace('0x…', samples.collections.lanterns.address))
  expect(await call('POST /product/tokens', { apiKey, body })).toMatchObject({ status: 200 })
  expect(bodies).toHaveLength(2)
})
