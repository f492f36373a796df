import { randomInt, randomUUID } from 'node:crypto'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { dynamoSignInUse } from '../../../lib/adapters/dynamodb/sign-in-use.ts'
import { openTable } from '../../../lib/adapters/dynamodb/table.ts'
import { RateLimited } from '../../../lib/domain/failures.ts'
import type { SignInLimitName, SignInLimits } from '../../../lib/domain/limit/limit.ts'
import type { SignInUse } from '../../../lib/domain/ports/sign-in-use.ts'
import { ScanCommand } from '../../support/aws/scan-command.ts'
import { startTestAws } from '../../support/aws/test-aws.ts'

const aws = await startTestAws()
const hour = 3_600

/** Limits of an hour, by their counts. */
const limitsOf = (counts: Partial<Record<SignInLimitName, number>>): SignInLimits =>
  Object.fromEntries(
    Object.entries(counts).map(([name, count]) => [name, { name, count, perSeconds: hour }]),
  )

/** Three containers of a deployment in which nobody has signed in. The counters of a deployment are in one item, so time passes. */
let day = 0
function newContainers(counts: Partial<Record<SignInLimitName, number>>): SignInUse[] {
  day += 1
  waitSeconds(day * 86_400)
  return Array.from({ length: 3 }, () => dynamoSignInUse(openTable(), limitsOf(counts)))
}

const begun = Date.now()

/** Stops the clock at a number of seconds after the tests have begun. */
function waitSeconds(seconds: number): void {
  vi.useFakeTimers({ toFake: ['Date'], now: begun + seconds * 1_000 })
}

afterEach(() => void vi.useRealTimers())

const newNetwork = () => `network ${randomUUID()}`

/** How many of these calls, all at the same time, are permitted; the limits that refuse the others. */
async function permitted(
  containers: readonly SignInUse[],
  count: number,
  call: (use: SignInUse) => Promise<void>,
) {
  const calls = Array.from({ length: count }, (_, index) =>
    call(containers[index % containers.length] as SignInUse),
  )
  const settled = await Promise.allSettled(calls)
  const refusals = settled.flatMap((each) => (each.status === 'rejected' ? [each.reason] : []))
  for (const refusal of refusals) expect(refusal).toBeInstanceOf(RateLimited)
  const by = [...new Set(refusals.map(({ limit }: RateLimited) => limit.name))]
  return { count: count - refusals.length, by }
}

describe('D107: the limits of signing in', () => {
  test.each<[SignInLimitName, (use: SignInUse, network: string) => Promise<void>]>([
    ['sign_ins_by_address', (use, network) => use.try(network)],
    ['refused_sign_ins_by_address', (use, network) => use.refuse(network)],
    ['device_codes_by_address', (use, network) => use.askForDevice(network)],
    ['device_guesses_by_address', (use, network) => use.guess(randomInt(2 ** 40), network)],
  ])('%s is exact, also in parallel, and touches no neighbour', async (name, call) => {
    const containers = newContainers({ [name]: 5 })
    const [network, neighbour] = [newNetwork(), newNetwork()]
    expect(await permitted(containers, 20, (use) => call(use, network))).toEqual({
      ...{ count: 5, by: [name] },
    })
    expect((await permitted(containers, 5, (use) => call(use, neighbour))).count).toBe(5)
    expect((await permitted(containers, 1, (use) => call(use, network))).count).toBe(0)
    waitSeconds(day * 86_400 + hour / 5)
    expect((await permitted(containers, 2, (use) => call(use, network))).count).toBe(1)
  })

  test('refused proofs end the tries of their network, and of no other', async () => {
    const containers = newContainers({ sign_ins_by_address: 100, refused_sign_ins_by_address: 3 })
    const [network, neighbour] = [newNetwork(), newNetwork()]
    const use = containers[0] as SignInUse
    for (let count = 0; count < 3; count += 1) {
      await use.try(network)
      await use.refuse(network)
    }
    expect(await permitted(containers, 3, (each) => each.try(network))).toEqual({
      ...{ count: 0, by: ['refused_sign_ins_by_address'] },
    })
    expect((await permitted(containers, 100, (each) => each.try(neighbour))).count).toBe(100)
  })

  test('refused proofs end the tries of a network that has no other limit', async () => {
    const [use] = newContainers({ refused_sign_ins_by_address: 1 }) as [SignInUse]
    const network = newNetwork()
    await use.try(network)
    await use.refuse(network)
    await expect(use.try(network)).rejects.toThrow(RateLimited)
    await expect(use.refuse(network)).rejects.toThrow(RateLimited)
  })

  test('a guess that was right is given back, to the user and to the network', async () => {
    const [use] = newContainers({ device_guesses: 2, device_guesses_by_address: 2 }) as [SignInUse]
    const [userId, network] = [randomInt(2 ** 40), newNetwork()]
    for (let count = 0; count < 5; count += 1) {
      await use.guess(userId, network)
      await use.guessedRight(userId, network)
    }
    await use.guess(userId, network)
    await use.guess(userId, network)
    await expect(use.guess(userId, newNetwork())).rejects.toThrow(RateLimited)
    await expect(use.guess(randomInt(2 ** 40), network)).rejects.toThrow(RateLimited)
  })

  test('a flood of new wallets leaves half of the deployment to known ones', async () => {
    const containers = newContainers({ sign_ins: 10, new_wallets: 5 })
    const accept = (isKnown: boolean) => (use: SignInUse) => use.accept({ isKnown })
    expect(await permitted(containers, 20, accept(false))).toEqual({
      count: 5,
      by: ['new_wallets'],
    })
    expect(await permitted(containers, 20, accept(true))).toEqual({ count: 5, by: ['sign_ins'] })
  })

  test('device codes end in the deployment, and guesses by user on any network', async () => {
    const containers = newContainers({ device_codes: 4, device_guesses: 2 })
    expect(await permitted(containers, 9, (use) => use.askForDevice(newNetwork()))).toEqual({
      ...{ count: 4, by: ['device_codes'] },
    })
    const userId = randomInt(2 ** 40)
    expect(await permitted(containers, 9, (use) => use.guess(userId, newNetwork()))).toEqual({
      ...{ count: 2, by: ['device_guesses'] },
    })
  })

  test('without limits, nothing is asked of the table', async () => {
    const use = dynamoSignInUse(openTable(), {})
    const before = aws.proxy.requests.length
    await use.try('a')
    await use.refuse('a')
    await use.accept({ isKnown: false })
    await use.askForDevice('a')
    await use.guess(1, 'a')
    await use.guessedRight(1, 'a')
    expect(aws.proxy.requests).toHaveLength(before)
  })

  test('counters name no network, and end', async () => {
    const [use] = newContainers({ sign_ins_by_address: 5 }) as [SignInUse]
    await use.try('192.0.2.77')
    const { client, name: TableName } = openTable()
    const { Items = [] } = await client.send(new ScanCommand({ TableName }))
    expect(JSON.stringify(Items)).not.toContain('192.0.2.77')
    const networks = Items.filter(({ pk }) => `${pk}`.startsWith('NETWORK#'))
    for (const item of networks) expect(item).toHaveProperty('expiresAt')
  })
})
