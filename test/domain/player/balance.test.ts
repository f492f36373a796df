import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { IndexerUnavailable } from '../../../lib/domain/failures.ts'
import { type Address, toAddress } from '../../../lib/domain/nft/address.ts'
import { walletAt } from '../../../lib/domain/nft/wallet.ts'
import {
  type BalancePorts,
  decimalAmount,
  totalBalance,
} from '../../../lib/domain/player/balance.ts'
import { check } from '../../support/vitest/seeded.ts'

const units = fc
  .integer({ min: 0, max: 260 })
  .chain((bits) => fc.bigInt({ min: 0n, max: 2n ** BigInt(bits) }))
const decimals = fc.integer({ min: 0, max: 77 })

describe('D29: the amount of the service token', () => {
  test('D29: the text has every digit, no exponent and no trailing zeros', () => {
    check(
      fc.property(units, decimals, (amount, places) => {
        const text = decimalAmount(amount, places)
        expect(text).toMatch(/^(0|[1-9]\d*)(\.\d*[1-9])?$/)
        const [whole = '', fraction = ''] = text.split('.')
        expect(fraction.length).toBeLessThanOrEqual(places)
        expect(BigInt(whole + fraction.padEnd(places, '0'))).toBe(amount)
      }),
      1_000,
    )
  })

  const wallets = ['1', '2', '3'].map((digit) => toAddress(`0x${digit.repeat(40)}`))
  const serviceToken = {
    token: { chain: 'POLYGON', address: toAddress(`0x${'f'.repeat(40)}`) },
    decimals: 18,
  } as const
  const portsWith = (balance: (owner: Address) => Promise<bigint>): BalancePorts => ({
    indexer: { balance: ({ owner }) => balance(owner) },
    keptBalances: { rememberSeconds: 0, find: async () => new Map(), keep: () => undefined },
  })
  const request = { acceptedAge: {}, deadline: 0 }

  test('D29: the sum over all wallets is exact past 2^53', async () => {
    const ports = portsWith(async (owner) => 2n ** 200n + BigInt(owner.at(-1) as string))
    const { units } = await totalBalance(serviceToken, wallets, request, ports)
    expect(units).toBe(3n * 2n ** 200n + 6n)
  })

  test('D159: a smart account counts on the chain of the token, and once beside its address', async () => {
    const owners: Address[] = []
    const ports = portsWith(async (owner) => BigInt(owners.push(owner)))
    const [first, second, third] = wallets as [Address, Address, Address]
    const mixed = [first, walletAt(first, 137), walletAt(second, 137), walletAt(third, 56)]
    await totalBalance(serviceToken, mixed, request, ports)
    expect(owners).toEqual([first, second])
  })

  test('D29: a player without wallets has 0, without any call', async () => {
    const ports = portsWith(() => Promise.reject(new Error('asked')))
    expect((await totalBalance(serviceToken, [], request, ports)).units).toBe(0n)
  })

  const keptFor = (age: number): BalancePorts['keptBalances'] => ({
    rememberSeconds: 60,
    find: async (_, owners) =>
      new Map(owners.map((owner) => [owner, { units: 5n, readAt: Date.now() - age }])),
    keep: () => undefined,
  })

  test.each([
    [50_000, 5n],
    [60_000, 7n],
  ])('D156: a balance read %i ms ago, remembered for 60 s, is %s', async (age, sum) => {
    const ports = { ...portsWith(async () => 7n), keptBalances: keptFor(age) }
    const { units } = await totalBalance(serviceToken, wallets.slice(0, 1), request, ports)
    expect(units).toBe(sum)
  })

  test('D156: a balance is no staler than accepted', async () => {
    const isDown = portsWith(() => Promise.reject(new IndexerUnavailable('down')))
    const accepting = { ...request, acceptedAge: { staleIfErrorSeconds: 600 } }
    const read = (age: number) =>
      totalBalance(serviceToken, wallets, accepting, { ...isDown, keptBalances: keptFor(age) })
    expect(await read(590_000)).toMatchObject({ units: 15n, isStale: true })
    await expect(read(601_000)).rejects.toThrow(IndexerUnavailable)
  })

  test('D30: an unreadable wallet is a failure, never a smaller sum', async () => {
    const ports = portsWith(async (owner) => {
      if (owner === wallets[1]) throw new IndexerUnavailable('test')
      return 1n
    })
    await expect(totalBalance(serviceToken, wallets, request, ports)).rejects.toThrow(
      IndexerUnavailable,
    )
  })
})
