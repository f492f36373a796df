import { expect, test } from 'vitest'
import { limitsByNetwork } from '../../../lib/domain/limit/limits-by-network.ts'

const limit = { name: 'sign_ins_by_address', count: 600, perSeconds: 3_600 } as const

test.each([
  ['2001:db8:85a3:8d3::/64', '2001:db8:85a3::/48'],
  ['0:0:0:0::/64', '0:0:0::/48'],
])('D140: the limits of %s are also those of %s, ten times as many', (network, wider) => {
  expect(limitsByNetwork(network, [limit])).toEqual([
    { network, limits: [limit] },
    { network: wider, limits: [{ ...limit, count: 6_000 }] },
  ])
})

test.each(['192.0.2.1', 'unknown'])('D140: the limits of %s are those of no other', (network) => {
  expect(limitsByNetwork(network, [limit])).toEqual([{ network, limits: [limit] }])
})
