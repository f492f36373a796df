import fc from 'fast-check'
import { afterAll, describe, expect, test } from 'vitest'
import { createWorld, type Network, setBalance } from '../../local/indexer/world.ts'
import { startOwnService, startTestIndexer } from '../support/services/own-service.ts'
import { newAddress, type Service } from '../support/services/service.ts'
import { checkAsync } from '../support/vitest/seeded.ts'

const world = createWorld()
const indexer = await startTestIndexer(world, afterAll)

/** The largest possible balance of an ERC-20 token. */
const most = 2n ** 256n - 1n

/** A token of the test's own, and a service with it as the service token. */
async function serviceOf(chain: 'BSC' | 'POLYGON', decimals: number) {
  const network: Network = chain === 'BSC' ? 'bnb-mainnet' : 'polygon-mainnet'
  const address = newAddress()
  // A holder, so that the token exists.
  setBalance(world, { network, address, wallet: newAddress() }, 1n)
  const service = await startOwnService(
    { INDEXER_URL: indexer.url, SERVICE_TOKEN: `${chain}:${address}:${decimals}` },
    afterAll,
  )
  return { service, token: { network, address }, named: { chain, address, decimals } }
}

/** The amount of a player with these balances, each in a separate wallet, as the text of the response. */
async function amountOf(
  { service, token }: { service: Service; token: { network: Network; address: string } },
  balances: readonly bigint[],
): Promise<string> {
  const wallets = balances.map((balance) => {
    const wallet = newAddress()
    setBalance(world, { ...token, wallet }, balance)
    return wallet
  })
  const { playerToken, userId } = await service.newPlayer(wallets)
  const answer = await service.call('GET /player/details', { playerToken })
  const text = answer.text.replace(/,"asOf":"[^"]+"}$/, '}')
  const start = `{"data":{"userId":${userId},"username":"marrow_finch","amountText":`
  const end = '},"success":true}'
  expect(text.startsWith(start) && text.endsWith(end), text).toBe(true)
  const amount = text.slice(text.lastIndexOf(':', text.length - end.length) + 1, -end.length)
  expect(JSON.parse(text).data.amountText).toBe(amount)
  return amount
}

const wei = 10n ** 18n

describe('D29: the amount of a token of 18 decimals, to the last digit', async () => {
  const usual = await serviceOf('POLYGON', 18)

  test.each<[string, bigint[], string]>([
    ['no wallet', [], '0'],
    ['an empty wallet', [0n], '0'],
    ['one', [wei], '1'],
    ['a hundred, whose zeros are significant', [100n * wei], '100'],
    ['a half', [wei / 2n], '0.5'],
    ['the smallest unit', [1n], '0.000000000000000001'],
    ['what a double would round', [wei + 1n], '1.000000000000000001'],
    ['what a double would write with an exponent', [wei / 10n ** 7n], '0.0000001'],
    ['fractions that add up to one', [wei / 3n, wei / 3n, wei / 3n + 1n], '1'],
    ['0.1 and 0.2', [wei / 10n, wei / 5n], '0.3'],
    [
      'the largest possible amount',
      [most],
      '115792089237316195423570985008687907853269984665640564039457.584007913129639935',
    ],
    [
      'the largest possible amount in 20 wallets',
      Array(20).fill(most),
      '2315841784746323908471419700173758157065399693312811280789151.6801582625927987',
    ],
    ['9,007,199,254,740,993', [9_007_199_254_740_993n * wei], '9007199254740993'],
  ])('%s', async (_, balances, amount) => {
    expect(await amountOf(usual, balances)).toBe(amount)
  })

  test('is the sum over all wallets, whatever their balances', async () => {
    const balance = fc.oneof(fc.bigInt({ min: 0n, max: most }), fc.bigInt({ min: 0n, max: wei }))
    const property = fc.asyncProperty(fc.array(balance, { maxLength: 20 }), async (balances) => {
      const amount = await amountOf(usual, balances)
      expect(amount).toMatch(/^(0|[1-9]\d*)(\.\d*[1-9])?$/)
      const [whole = '', fraction = ''] = amount.split('.')
      const units = BigInt(whole + fraction.padEnd(18, '0'))
      expect(units).toBe(balances.reduce((sum, each) => sum + each, 0n))
    })
    await checkAsync(property, 40)
  })

  test('D36: a token without a symbol in the settings has none in the response', async () => {
    const { playerToken } = await usual.service.newPlayer([])
    const { json } = await usual.service.call('GET /player/details', { playerToken })
    expect(json.data.token).toEqual(usual.named)
  })

  test('does not count other tokens, or the same address on another chain', async () => {
    const { service, token } = usual
    const wallet = newAddress()
    setBalance(world, { ...token, wallet }, 2n * wei)
    setBalance(world, { ...token, address: newAddress(), wallet }, 3n * wei)
    setBalance(world, { ...token, network: 'bnb-mainnet', wallet }, 5n * wei)
    const { playerToken } = await service.newPlayer([wallet])
    const { text } = await service.call('GET /player/balance', { playerToken })
    expect(text).toContain('"amount":2}')
  })
})

describe('D29: the amount of a token without decimals, on BSC', async () => {
  const whole = await serviceOf('BSC', 0)

  test.each<[bigint[], string]>([
    [[0n], '0'],
    [[7n, 3n], '10'],
    [[most, 1n], String(2n ** 256n)],
  ])('%s are %s', async (balances, amount) => {
    expect(await amountOf(whole, balances)).toBe(amount)
  })
})

describe('D29: the amount of a token of 77 decimals', async () => {
  const fine = await serviceOf('POLYGON', 77)

  test.each<[bigint[], string]>([
    [[1n], `0.${'0'.repeat(76)}1`],
    [[most], `1.${String(most).slice(1)}`],
  ])('%s are %s', async (balances, amount) => {
    expect(await amountOf(fine, balances)).toBe(amount)
  })
})
