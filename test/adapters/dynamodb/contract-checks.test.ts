import { randomUUID } from 'node:crypto'
import { describe, expect, test, vi } from 'vitest'
import { dynamoSignInUse } from '../../../lib/adapters/dynamodb/sign-in-use.ts'
import type { RateLimited } from '../../../lib/domain/failures.ts'
import type { SignInLimitName, SignInLimits } from '../../../lib/domain/limit/limit.ts'
import { walletAt } from '../../../lib/domain/nft/wallet.ts'
import type { SignInUse } from '../../../lib/domain/ports/limits.ts'
import { newWallet, permitted as permittedOf, startTable } from './stored-fixture.ts'

const { items, requestsOf, table } = await startTable()

/** The counters of all networks are in one item, so each test has a day of its own. */
let day = 0

/** The limits of a deployment in which nobody has asked an account. */
function newUse(counts: Partial<Record<SignInLimitName, number>>): SignInUse {
  day += 1
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + day * 86_400_000 })
  const limits = Object.entries(counts).map(([name, count]) => [
    name,
    { name, count, perSeconds: 3_600 },
  ])
  return dynamoSignInUse(table, Object.fromEntries(limits) as SignInLimits)
}

const newNetwork = () => `network ${randomUUID()}`
const newAccount = () => walletAt(newWallet(), 8453)
const account = newAccount()

const known = { isKnown: true, isForeignPage: false }
const stranger = { isKnown: false, isForeignPage: false }
const page = { isKnown: true, isForeignPage: true }

/** How many of twelve questions at the same time are permitted, and by which limits the others are refused. */
async function permitted(ask: () => ReturnType<SignInUse['checkAccount']>) {
  const { count, refusals } = await permittedOf(Array.from({ length: 12 }, ask))
  return [count, ...new Set(refusals.map(({ limit }: RateLimited) => limit.name))]
}

describe('D160: questions to smart accounts', () => {
  test('end for a network and an account together, and for no other network or account', async () => {
    const use = newUse({ contract_checks_by_account: 5 })
    const [network, neighbour] = [newNetwork(), newNetwork()]
    const ask = (from: string, smartAccount = account) =>
      use.checkAccount(from, smartAccount, known)
    expect(await permitted(() => ask(network))).toEqual([5, 'contract_checks_by_account'])
    expect(await permitted(() => ask(neighbour))).toEqual([5, 'contract_checks_by_account'])
    const other = newAccount()
    expect(await permitted(() => ask(network, other))).toEqual([
      ...[5, 'contract_checks_by_account'],
    ])
    await ask(newNetwork())
  })

  test('end for a network with all accounts', async () => {
    const use = newUse({ contract_checks_by_address: 2, contract_checks_by_account: 2 })
    const network = newNetwork()
    const ask = () => use.checkAccount(network, newAccount(), known)
    expect(await permitted(ask)).toEqual([2, 'contract_checks_by_address'])
  })

  test('of foreign pages end apart, and spend nothing of their visitors', async () => {
    const use = newUse({
      ...{ contract_checks_of_pages_by_address: 3 },
      ...{ contract_checks_by_address: 4, contract_checks_by_account: 4 },
    })
    const network = newNetwork()
    expect(await permitted(() => use.checkAccount(network, account, page))).toEqual([
      ...[3, 'contract_checks_of_pages_by_address'],
    ])
    const [count] = await permitted(() => use.checkAccount(network, account, known))
    expect(count).toBe(4)
  })

  test('of strangers and of foreign pages leave a half to accounts that have signed in', async () => {
    const use = newUse({ contract_checks: 8, new_contract_checks: 4 })
    const ask = (by: typeof known) => () => use.checkAccount(newNetwork(), newAccount(), by)
    const [two] = await permittedOf([ask(stranger)(), ask(page)()]).then(({ count }) => [count])
    expect(two).toBe(2)
    expect(await permitted(ask(stranger))).toEqual([2, 'new_contract_checks'])
    expect(await permitted(ask(page))).toEqual([0, 'new_contract_checks'])
    expect(await permitted(ask(known))).toEqual([4, 'contract_checks'])
  })

  test.each([
    ['known', known],
    ['new', stranger],
    ['a page', page],
  ])('are given back whole: %s', async (_, by) => {
    const use = newUse({
      ...{ contract_checks: 1, new_contract_checks: 1, contract_checks_by_account: 1 },
      ...{ contract_checks_by_address: 1, contract_checks_of_pages_by_address: 1 },
    })
    const network = newNetwork()
    for (let turn = 0; turn < 3; turn += 1) {
      const giveBack = await use.checkAccount(network, account, by)
      await giveBack()
    }
    await use.checkAccount(network, account, by)
    await expect(use.checkAccount(network, account, by)).rejects.toMatchObject({
      code: 'rate_limited',
    })
  })

  test('are written before they are asked, and name neither network nor account', async () => {
    const use = newUse({
      ...{ contract_checks: 9, contract_checks_by_account: 9, contract_checks_by_address: 9 },
    })
    const write = () => use.checkAccount('192.0.2.78', account, known)
    const requests = await requestsOf(write)
    expect(requests.filter((name) => name === 'UpdateItem')).toHaveLength(3)
    expect(await items.with('192.0.2.78')).toEqual([])
    expect(await items.with(account)).toEqual([])
  })
})
