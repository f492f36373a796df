import { ownedBy } from '@player-nfts/local/indexer/holdings'
import type { LambdaHost } from '@player-nfts/local/lambda/lambda-host'
import { numbers } from '@player-nfts/local/samples'
import { describe, expect, test } from 'vitest'
import type { TokenId } from '../../lib/domain/allowlist/token-id.ts'
import type { KeptContract, SnapshotEnd } from '../../lib/domain/holdings/kept-contract.ts'
import type { Address } from '../../lib/domain/nft/address.ts'
import { newSnapshotId } from '../../lib/domain/snapshots/snapshot-attempt.ts'
import { tableOf } from '../support/aws/table.ts'
import type { Received, Sent } from '../support/requests/client.ts'
import { invokeFunction, processedBy } from '../support/requests/invoke-function.ts'
import { keptWorld } from '../support/requests/kept-world.ts'
import { expectProblem } from '../support/requests/problem.ts'
import { entriesOf, productWith, readThrough } from '../support/requests/reading.ts'
import { startCountedService } from '../support/services/counted-service.ts'
import { newAddress } from '../support/services/service.ts'

const service = await startCountedService()
const { kept, attempts, keep, change } = keptWorld(service)
const following = { FOLLOWED_CHAINS: 'POLYGON' }
const chain = 'POLYGON'
const [minute, hour, day] = [60_000, 3_600_000, 86_400_000]

/** The addresses of contracts in each question about what a wallet holds. */
const asked: (string | null)[][] = []
service.interfere(({ path }) => {
  const { pathname, searchParams } = new URL(path, 'http://indexer')
  if (pathname.endsWith('/getNFTsForOwner')) asked.push(searchParams.getAll('contractAddresses[]'))
  return undefined
})

const read = (host: LambdaHost, sent: Sent): Promise<Received> =>
  invokeFunction(host, 'getRawMetadata', sent)

/** A read by new containers, with the contracts that they have asked about. */
async function readAnew(sent: Sent, variables = following) {
  const before = asked.length
  const answer = await read(service.newContainers(variables), sent)
  return { answer, asked: asked.slice(before).flat().sort() }
}

const tokenIdsIn = ({ json }: Received): string[] =>
  json.data.map(({ tokenId }: { tokenId: string }) => tokenId)

/** A player with the NFTs 1 to `count` of contracts of a product, of which all are kept. */
async function keptPlayer(contracts: number, count = 3) {
  const wallet = newAddress() as Address
  const addresses = Array.from({ length: contracts }, () => newAddress() as Address).sort()
  const network = 'polygon-mainnet'
  for (const address of addresses)
    ownedBy(service.world, { network, address }, wallet, numbers(1, count))
  const apiKey = await productWith(
    service,
    ...addresses.map((address) => ({ chain, address, tokenIds: ['*'] })),
  )
  const { playerToken } = await service.newPlayer([wallet])
  const keys = addresses.map((address) => ({ chain, address }) as const)
  for (const contract of keys) await keep(contract)
  return { apiKey, playerToken, wallet, addresses, keys, sent: { apiKey, playerToken } }
}

const unused = { snapshot: undefined, prepared: undefined, log: undefined }
const endedBy = (reason: SnapshotEnd): Partial<KeptContract> => ({
  ...unused,
  ended: { reason, at: Date.now() },
})

test.each<[string, Partial<KeptContract>, object]>([
  ['of which a snapshot is wanted', unused, { reason: 'in_preparation' }],
  ['with too many events', endedBy('busy'), { reason: 'busy' }],
])(
  'D156: asked is, beside a contract that is kept, one %s, and getContracts says why',
  async (_, changes, ownership) => {
    const { apiKey, sent, keys } = await keptPlayer(2)
    const [first, second] = keys as [(typeof keys)[0], (typeof keys)[0]]
    const before = await readAnew(sent)
    await change(second, changes)
    const { answer, asked: about } = await readAnew(sent)
    expect([before.asked, about]).toEqual([[], [second.address]])
    expect(answer.json.data).toEqual(before.answer.json.data)
    const listed = await invokeFunction(service.newContainers(following), 'getContracts', {
      apiKey,
    })
    expect(listed.json.data).toMatchObject([
      { address: first.address, ownership: { kept: true } },
      { address: second.address, ownership: { kept: false, ...ownership } },
    ])
  },
)

describe('D156: a cursor', () => {
  test('given out while a contract was asked goes on being asked, whatever becomes of the contract', async () => {
    const { sent, keys } = await keptPlayer(1, 5)
    const [contract] = keys as [(typeof keys)[0]]
    await change(contract, endedBy('gap'))
    const found: string[] = []
    let cursor: string | undefined
    const states = [undefined, () => keep(contract), () => change(contract, endedBy('gap'))]
    for (const become of [...states, undefined, undefined]) {
      await become?.()
      const { answer, asked: about } = await readAnew({
        ...sent,
        query: { limit: '1', ...(cursor && { cursor }) },
      })
      expect(about).toEqual([contract.address])
      found.push(...tokenIdsIn(answer))
      cursor = answer.json.nextCursor
    }
    expect([found, cursor]).toEqual([numbers(1, 5), undefined])
  })

  test('given out while a contract was kept has expired once it is not, also in a deployment that follows no chain any more', async () => {
    const { sent, keys } = await keptPlayer(1, 5)
    const { answer } = await readAnew({ ...sent, query: { limit: '2' } })
    const next = { ...sent, query: { limit: '2', cursor: answer.json.nextCursor } }
    expect(tokenIdsIn((await readAnew(next)).answer)).toEqual(['3', '4'])
    expectProblem((await readAnew(next, { FOLLOWED_CHAINS: '' })).answer, 'cursor_expired')
    await change(keys[0] as (typeof keys)[0], endedBy('gap'))
    expectProblem((await readAnew(next)).answer, 'cursor_expired')
    expect(tokenIdsIn((await readAnew(sent)).answer)).toEqual(numbers(1, 5))
  })
})

test('D152: a stranger who sends a wallet 10,000 tokens of fifty foreign contracts makes a read four read units dearer, and adds no request', async () => {
  const { sent, wallet } = await keptPlayer(2)
  const host = () => service.newContainers(following, Date.now())
  await read(host(), sent)
  const before = await service.useOf(() => read(host(), sent))
  for (let count = 0; count < 50; count += 1) {
    const snapshot = {
      chain,
      address: newAddress() as Address,
      id: newSnapshotId(Date.now()),
    } as const
    const tokens = numbers(1, 200).map((id) => [`${id}${'7'.repeat(70)}` as TokenId, 1n] as const)
    await attempts.beginLists(snapshot)
    expect(await attempts.addToList(snapshot, wallet, new Map(tokens))).toBe(true)
  }
  const answers: Received[] = []
  const after = await service.useOf(async () => answers.push(await read(host(), sent)))
  expect(entriesOf(answers)).toHaveLength(6)
  expect(after.counts).toEqual(before.counts)
  expect(after.units.read - before.units.read).toBeLessThanOrEqual(4)
  expect(after.units.write).toBe(before.units.write)
})

/** Has the worker process items at a moment, and returns those that it has sent. */
async function work(at: number, ...items: object[]) {
  const before = service.messages().length
  const host = service.newContainers(following, at)
  for (const item of items) await processedBy(host, JSON.stringify(item))
  return service
    .messages()
    .slice(before)
    .map((body) => JSON.parse(body))
}

test('D153: a contract that the last product unbinds is let go seven days later, and removed with its lists', async () => {
  const { apiKey, sent, keys, addresses, wallet } = await keptPlayer(1)
  const [contract] = keys as [(typeof keys)[0]]
  await readAnew(sent)
  await expect
    .poll(() => tableOf(service).itemsUnder(`KEPTUSE#${chain}#${addresses[0]}`))
    .toHaveLength(1)
  const readAt = Date.now()
  const query = { contractAddress: contract.address, chain }
  expect((await service.call('DELETE /product/contract', { apiKey, query })).status).toBe(200)
  expect((await readAnew(sent)).answer.json.data).toEqual([])
  const snapshot = (await kept.contract(contract))?.snapshot
  await work(readAt + 7 * day - hour, { kind: 'upkeep' })
  expect((await kept.contract(contract))?.snapshot).toEqual(snapshot)
  await work(readAt + 7 * day + hour, { kind: 'upkeep' })
  expect(await kept.contract(contract)).toMatchObject({ ended: { reason: 'letGo' } })
  const removedAt = readAt + 7 * day + 2 * hour + minute
  await work(removedAt, { kind: 'upkeep' })
  expect(await kept.contract(contract)).toBeUndefined()
  // Each run sends 20 items of a kind, also for the contracts of the other tests.
  const items: Awaited<ReturnType<typeof work>> = []
  for (let run = 0; run < 8; run += 1) {
    const at = removedAt + hour + run * minute
    const sent = await work(at, { kind: 'upkeep' })
    const [ofIt, ofOthers] = [true, false].map((isIt) =>
      sent.filter(({ kind, snapshot: of }) => {
        return kind === 'deleteLists' && (of?.address === contract.address) === isIt
      }),
    )
    items.push(...(ofIt ?? []))
    if (items.length > 0) break
    await work(at, ...(ofOthers ?? []))
  }
  expect(items).toEqual([{ kind: 'deleteLists', snapshot: { ...contract, id: snapshot?.id } }])
  await work(removedAt + hour, ...items)
  const left = ['HOLD', 'KEPT'].map((prefix) => tableOf(service).itemsUnder(prefix))
  const names = (await Promise.all(left)).flat().map(({ pk, sk }) => `${pk} ${sk}`)
  const ofIt = names.filter((name) => name.includes(contract.address) || name.includes(wallet))
  expect(ofIt.filter((name) => !/^KEPT(USE|CARE)#/.test(name))).toEqual([])
})

describe('D157: getContracts', () => {
  const keepingTwo = { ...following, KEPT_CONTRACTS: '2' }

  /** The ownership of contracts on these chains that a product lists, in their order, in pages of one. */
  async function ownershipOf(
    chains: readonly string[],
    variables: Record<string, string>,
    prepare: (addresses: readonly Address[]) => Promise<unknown> = async () => undefined,
  ): Promise<unknown[]> {
    const addresses = chains.map(() => newAddress() as Address).sort()
    const lists = addresses.map((address, index) => ({
      ...{ chain: chains[index] ?? '', address, tokenIds: ['1'] },
    }))
    const apiKey = await productWith(service, ...lists)
    await prepare(addresses)
    const host = service.newContainers(variables)
    const list = (_: string, sent: Sent = {}) => invokeFunction(host, 'getContracts', sent)
    const sent = { apiKey, query: { limit: '1' } }
    const answers = await readThrough({ ...service, call: list }, 'getContracts', sent)
    return entriesOf(answers).map(({ ownership }) => ownership)
  }

  test('says of each contract whether it is kept', async () => {
    const at = Date.now() - hour
    const snapshot = { id: 's1', standard: 'ERC721', step: 1, since: 1, at } as const
    const chains = ['BSC', chain, chain, chain]
    const listed = await ownershipOf(chains, keepingTwo, async ([, kept, , above]) => {
      for (const address of [kept, above]) {
        if (address) await change({ chain, address }, { snapshot })
      }
    })
    expect(listed).toEqual([
      { kept: false, reason: 'chain_not_followed' },
      { kept: true, since: new Date(at).toISOString() },
      { kept: false, reason: 'not_read' },
      // Also if another product keeps it.
      { kept: false, reason: 'above_limit' },
    ])
  })

  test.each([
    ['follows no chain', {}],
    ['keeps no contract', { ...keepingTwo, KEPT_CONTRACTS: '0' }],
  ])('says nothing of it in a deployment that %s', async (_, variables) => {
    expect(await ownershipOf([chain], variables)).toEqual([undefined])
  })
})
