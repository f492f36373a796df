import { describe, expect, test } from 'vitest'
import { failureLine, problemLinks } from '../terminal/log.ts'

const now = new Date(2026, 10, 25, 9, 5, 7)
const lineOf = (fields: object) => failureLine(JSON.stringify(fields), now)
const operation = 'createPlayerToken'

describe('the lines of npm start', () => {
  test('D90: the reason of a refused user JWT, and the command that explains it', () => {
    const refused = { level: 'INFO', operation, code: 'invalid_user_token', reason: 'issuer' }
    expect(lineOf(refused)).toBe(
      '09:05:07 createPlayerToken: invalid_user_token: issuer (npm run check-login -- <user JWT> says more)',
    )
  })

  test('the first line of the reason of a failure', () => {
    const failed = { level: 'ERROR', operation, code: 'internal_error', defect: 'Error: x\n at y' }
    expect(lineOf(failed)).toBe('09:05:07 createPlayerToken: internal_error: Error: x')
  })

  test('nothing of a success and of other refusals, and a line that is not JSON as it is', () => {
    expect(lineOf({ level: 'INFO', operation })).toBeUndefined()
    expect(lineOf({ level: 'INFO', operation, code: 'invalid_api_key' })).toBeUndefined()
    expect(failureLine('Killed', now)).toBe('Killed')
  })

  test('once for each problem of the API, where it is explained', () => {
    const linkOf = problemLinks()
    const linkFor = (fields: object) => linkOf(JSON.stringify(fields), 'http://127.0.0.1:3000')
    const refused = { level: 'INFO', operation, code: 'invalid_api_key' }
    expect(linkFor(refused)).toBe(
      '         What invalid_api_key means: http://127.0.0.1:3000/docs/reference-problems.html#invalid_api_key',
    )
    const others = [refused, { operation }, { kind: 'delivery', code: 'secret_ended' }]
    expect(others.map(linkFor)).toEqual([undefined, undefined, undefined])
    expect(linkFor({ ...refused, code: 'product_stopped' })).toContain('#product_stopped')
  })
})
