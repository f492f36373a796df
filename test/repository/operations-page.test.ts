import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { deploymentSettings } from '../../infra/settings.ts'
import { openThrottles } from '../../infra/throttles.ts'

const page = readFileSync('docs/operations.md', 'utf8')

/** The rows of the table under a heading, as cells. */
function tableUnder(heading: string): string[][] {
  const [, section = ''] = page.split(`${heading}\n`)
  const [table = ''] = section.slice(section.indexOf('\n| ') + 1).split('\n\n')
  const [, , ...rows] = table.split('\n')
  return rows.map((row) => row.slice(2, -2).split(' | '))
}

test('docs/operations.md has the throttles that follow from the defaults', () => {
  const throttles = openThrottles(deploymentSettings({}))
  const shown = (route: string) => {
    const { rateLimit, burstLimit } = throttles[route] ?? {}
    return [`${rateLimit}`, `${burstLimit}`]
  }
  expect(tableUnder('### Throttles').map(([, ...numbers]) => numbers)).toEqual([
    shown('POST /api/public/v1/product'),
    shown('GET /api/public/v1/player/details'),
    shown('GET /api/public/v1/public-key'),
    ['10,000', '1,000'],
  ])
})
