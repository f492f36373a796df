import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { deploymentSettings } from '../../infra/settings.ts'
import { routeThrottles } from '../../infra/throttles.ts'
import { prodSettings } from '../support/prod-settings.ts'

const page = readFileSync('docs/operations.md', 'utf8')

/** The rows of the table under a heading, as cells. */
function tableUnder(heading: string): string[][] {
  const [, section = ''] = page.split(`${heading}\n`)
  const [table = ''] = section.slice(section.indexOf('\n| ') + 1).split('\n\n')
  const [, , ...rows] = table.split('\n')
  return rows.map((row) => row.slice(2, -2).split(' | '))
}

test('docs/operations.md has the throttles that follow from the defaults', () => {
  const inDev = routeThrottles(deploymentSettings({}))
  const inProd = routeThrottles(deploymentSettings(prodSettings))
  const shown = (route: string) =>
    [inProd, inDev].flatMap(({ [route]: throttle }) => [
      `${throttle?.rateLimit ?? '10,000'}`,
      `${throttle?.burstLimit ?? '1,000'}`,
    ])
  expect(tableUnder('### Throttles').map(([, ...numbers]) => numbers)).toEqual([
    shown('POST /api/public/v1/product'),
    shown('GET /api/public/v1/player/details'),
    shown('GET /api/public/v1/public-key'),
    shown('GET /api/public/v1/player/token'),
    ['10,000', '1,000', '10,000', '1,000'],
  ])
})
