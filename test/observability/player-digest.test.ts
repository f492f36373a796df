import { createHmac } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { playerDigests } from '../../lib/observability/player-digest.ts'

describe('D72: the digest of a player', () => {
  const digest = playerDigests('a key of a deployment')

  test('is the first half of an HMAC-SHA-256 of the user id', () => {
    const whole = createHmac('sha256', 'a key of a deployment').update('42').digest('hex')
    expect(digest(42)).toBe(whole.slice(0, 32))
    expect(digest(42)).toMatch(/^[0-9a-f]{32}$/)
  })

  test('differs for each player and each key', () => {
    const others = [digest(0), digest(4), digest(43), playerDigests('another key')(42)]
    expect(new Set([digest(42), ...others]).size).toBe(5)
  })
})
