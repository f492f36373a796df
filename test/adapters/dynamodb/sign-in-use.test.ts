import { randomInt, randomUUID } from 'node:crypto'
import { describe, expect, test, vi } from 'vitest'
import { dynamoSignInUse } from '../../../lib/adapters/dynamodb/sign-in-use.ts'
import { RateLimited } from '../../../lib/domain/failures.ts'
import type { SignInLimitName, SignInLimits } from '../../../lib/domain/limit/limit.ts'
import { walletAt } from '../../../lib/domain/nft/wallet.ts'
import type { SignInUse } from '../../../lib/domain/ports/limits.ts'
import { newWallet, permitted as permittedOf, startTable } from './stored-fixture.ts'

const { items, requestsOf, table } = await startTable()
const hour = 3_600

const limitsOf = (counts: Partial<Record<SignInLimitName, number>>): SignInLimits =>
  Object.fromEntries(
    Object.entries(counts).map(([name, count]) => [name, { name, count, perSeconds: hour }]),
  )

/** Three containers of a deployment in which nobody has signed in. The counters of a deployment are in one item, so time passes. */
let day = 0
function newContainers(counts: Partial<Record<SignInLimitName, number>>): SignInUse[] {
  day += 1
  waitSeconds(day * 86_400)
  return Array.from({ length: 3 }, () => dynamoSignInUse(table, limitsOf(counts)))
}

const newUse = (counts: Parameters<typeof newContainers>[0]) =>
  newContainers(counts)[0] as SignInUse

const begun = Date.now()

/** Stops the clock at a number of seconds after the tests have begun. */
function waitSeconds(seconds: number): void {
  vi.useFakeTimers({ toFake: ['Date'], now: begun + seconds * 1_000 })
}

const [byProgram, byPage] = [{ isForeignPage: false }, { isForeignPage: true }]

const newNetwork = () => `network ${randomUUID()}`

async function accept(use: SignInUse, network: string, isKnown = true): Promise<void> {
  const spend = await use.permit(network, { isKnown })
  await spend()
}

/** How many of these calls, all at the same time, are permitted, and the limits that refuse the others. */
async function permitted(
  containers: readonly SignInUse[],
  count: number,
  call: (use: SignInUse) => Promise<unknown>,
) {
  const calls = Array.from({ length: count }, (_, index) =>
    call(containers[index % containers.length] as SignInUse),
  )
  const { count: all, refusals } = await permittedOf(calls)
  return [all, ...new Set(refusals.map(({ limit }: RateLimited) => limit.name))]
}

describe('D107: the limits of signing in', () => {
  test.each<[SignInLimitName, (use: SignInUse, network: string) => Promise<void>]>([
    ['sign_ins_by_address', (use, network) => accept(use, network)],
    ['new_wallets_by_address', (use, network) => accept(use, network, false)],
    ['refused_sign_ins_by_address', (use, network) => use.refuse(network)],
    ['device_codes_by_address', (use, network) => use.askForDevice(network, byProgram)],
    ['device_codes_of_pages_by_address', (use, network) => use.askForDevice(network, byPage)],
    ['device_guesses_by_address', (use, network) => use.guessedWrong(network)],
  ])('%s is exact, also in parallel, and touches no neighbour', async (name, call) => {
    const containers = newContainers({ [name]: 5 })
    const [network, neighbour] = [newNetwork(), newNetwork()]
    expect(await permitted(containers, 20, (use) => call(use, network))).toEqual([5, name])
    expect(await permitted(containers, 5, (use) => call(use, neighbour))).toEqual([5])
    expect(await permitted(containers, 1, (use) => call(use, network))).toEqual([0, name])
    waitSeconds(day * 86_400 + hour / 5)
    expect(await permitted(containers, 2, (use) => call(use, network))).toEqual([1, name])
  })

  test('D140: refused proofs end no others, and a refusal at the limit costs no write', async () => {
    const use = newUse({ sign_ins_by_address: 9, refused_sign_ins_by_address: 3 })
    const network = newNetwork()
    const refuse = (count: number) => permitted([use], count, () => use.refuse(network))
    expect(await refuse(3)).toEqual([3])
    const refused = async () => expect(await refuse(5)).toEqual([0, 'refused_sign_ins_by_address'])
    expect(await requestsOf(refused)).toEqual(Array(5).fill('GetItem'))
    expect(await permitted([use], 9, () => accept(use, network))).toEqual([9])
  })

  test('D140: what is permitted is spent only when it is used, and exactly', async () => {
    const use = newUse({ sign_ins_by_address: 1, sign_ins: 1 })
    const [network, neighbour] = [newNetwork(), newNetwork()]
    const [first, second] = [
      await use.permit(network, { isKnown: true }),
      await use.permit(neighbour, { isKnown: true }),
    ]
    await first()
    await expect(second()).rejects.toThrow(RateLimited)
    // What the neighbour has spent of its own limit was given back.
    const next = dynamoSignInUse(table, limitsOf({ sign_ins_by_address: 1 }))
    await accept(next, neighbour)
    await expect(next.permit(neighbour, { isKnown: true })).rejects.toThrow(RateLimited)
  })

  test('a guess that was right is given back to the user', async () => {
    const use = newUse({ device_guesses: 2 })
    const userId = randomInt(2 ** 40)
    for (let count = 0; count < 5; count += 1) {
      await use.guess(userId)
      await use.guessedRight(userId)
    }
    await use.guess(userId)
    await use.guess(userId)
    await expect(use.guess(userId)).rejects.toThrow(RateLimited)
    await use.guess(userId + 1)
  })

  test('a flood of new wallets leaves half of the deployment to known ones', async () => {
    const containers = newContainers({ sign_ins: 10, new_wallets: 5 })
    const of = (isKnown: boolean) => (use: SignInUse) => accept(use, newNetwork(), isKnown)
    expect(await permitted(containers, 20, of(false))).toEqual([5, 'new_wallets'])
    expect(await permitted(containers, 20, of(true))).toEqual([5, 'sign_ins'])
  })

  test('D140: new wallets leave half of a network, and of its /48, to known ones', async () => {
    const use = newUse({ sign_ins_by_address: 4, new_wallets_by_address: 2 })
    const block = `2001:db9:${randomInt(2 ** 16).toString(16)}`
    const of = (host: number, isKnown: boolean) =>
      permitted([use], 10, () => accept(use, `${block}:${host.toString(16)}::/64`, isKnown))
    for (let host = 0; host < 10; host += 1)
      expect(await of(host, false)).toEqual([2, 'new_wallets_by_address'])
    expect(await of(10, false)).toEqual([0, 'new_wallets_by_address'])
    expect(await of(0, true)).toEqual([2, 'sign_ins_by_address'])
    expect(await of(10, true)).toEqual([4, 'sign_ins_by_address'])
  })

  test('D140: foreign pages end no codes of programs in their network, and half of all', async () => {
    const containers = newContainers({
      ...{ device_codes: 8, device_codes_of_pages: 4 },
      ...{ device_codes_by_address: 3, device_codes_of_pages_by_address: 3 },
    })
    const network = newNetwork()
    const ask = (by: typeof byPage, from = () => network) =>
      permitted(containers, 9, (use) => use.askForDevice(from(), by))
    expect(await ask(byPage)).toEqual([3, 'device_codes_of_pages_by_address'])
    expect(await ask(byPage, newNetwork)).toEqual([1, 'device_codes_of_pages'])
    expect(await ask(byProgram)).toEqual([3, 'device_codes_by_address'])
    expect(await ask(byProgram, newNetwork)).toEqual([1, 'device_codes'])
  })

  test('without limits, nothing is asked of the table', async () => {
    const use = dynamoSignInUse(table, {})
    const requests = await requestsOf(async () => {
      await accept(use, 'a', false)
      await use.refuse('a')
      await use.askForDevice('a', byProgram)
      await use.guess(1)
      await use.guessedRight(1)
      await use.guessedWrong('a')
      await use.checkAccount('a', newWallet(), { isKnown: true, isForeignPage: true })
    })
    expect(requests).toEqual([])
  })

  test('counters name no network, and end', async () => {
    const use = newUse({ sign_ins_by_address: 5 })
    await accept(use, '192.0.2.77')
    expect(await items.with('192.0.2.77')).toEqual([])
    const counters = await items.with('NETWORK#')
    expect(counters).not.toEqual([])
    for (const item of counters) expect(item).toHaveProperty('expiresAt')
  })
})

describe('D160: questions to smart accounts', () => {
  const newAccount = () => walletAt(newWallet(), 8453)
  const account = newAccount()
  const known = { isKnown: true, isForeignPage: false }
  const stranger = { isKnown: false, isForeignPage: false }
  const page = { isKnown: true, isForeignPage: true }

  const ofTwelve = (ask: () => Promise<unknown>) => permitted([], 12, ask)

  test('end for a network and an account together, and for no other network or account', async () => {
    const use = newUse({ contract_checks_by_account: 5 })
    const [network, neighbour] = [newNetwork(), newNetwork()]
    const ask = (from: string, smartAccount = account) =>
      use.checkAccount(from, smartAccount, known)
    expect(await ofTwelve(() => ask(network))).toEqual([5, 'contract_checks_by_account'])
    expect(await ofTwelve(() => ask(neighbour))).toEqual([5, 'contract_checks_by_account'])
    const other = newAccount()
    expect(await ofTwelve(() => ask(network, other))).toEqual([5, 'contract_checks_by_account'])
    await ask(newNetwork())
  })

  test('end for a network with all accounts', async () => {
    const use = newUse({ contract_checks_by_address: 2, contract_checks_by_account: 2 })
    const network = newNetwork()
    const ask = () => use.checkAccount(network, newAccount(), known)
    expect(await ofTwelve(ask)).toEqual([2, 'contract_checks_by_address'])
  })

  test('of foreign pages end apart, and spend nothing of their visitors', async () => {
    const use = newUse({
      ...{ contract_checks_of_pages_by_address: 3 },
      ...{ contract_checks_by_address: 4, contract_checks_by_account: 4 },
    })
    const network = newNetwork()
    const ask = (by: typeof known) => ofTwelve(() => use.checkAccount(network, account, by))
    expect(await ask(page)).toEqual([3, 'contract_checks_of_pages_by_address'])
    expect((await ask(known))[0]).toBe(4)
  })

  test('of strangers and of foreign pages leave a half to accounts that have signed in', async () => {
    const use = newUse({ contract_checks: 8, new_contract_checks: 4 })
    const ask = (by: typeof known) => use.checkAccount(newNetwork(), newAccount(), by)
    await Promise.all([ask(stranger), ask(page)])
    expect(await ofTwelve(() => ask(stranger))).toEqual([2, 'new_contract_checks'])
    expect(await ofTwelve(() => ask(page))).toEqual([0, 'new_contract_checks'])
    expect(await ofTwelve(() => ask(known))).toEqual([4, 'contract_checks'])
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
    await expect(use.checkAccount(network, account, by)).rejects.toThrow(RateLimited)
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
