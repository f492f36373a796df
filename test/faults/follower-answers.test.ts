import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { alchemyChainEvents } from '../../lib/adapters/alchemy/chain-events.ts'
import { dynamoFollowNotes } from '../../lib/adapters/dynamodb/follow-notes.ts'
import { followedContractKey } from '../../lib/adapters/dynamodb/keys/follow-partition.ts'
import { dynamoNftEventLog } from '../../lib/adapters/dynamodb/nft-event-log.ts'
import { openTable } from '../../lib/adapters/dynamodb/table.ts'
import { followChain } from '../../lib/domain/following/follow-chain.ts'
import { transfer } from '../../local/indexer/chain/movements.ts'
import { startIndexerServer } from '../../local/indexer/indexer-server.ts'
import { sampleWorld } from '../../local/samples/sample-world.ts'
import { samples } from '../../local/samples/samples.ts'
import { storedItems } from '../support/aws/stored-items.ts'
import { startTestAws } from '../support/aws/test-aws.ts'
import { settings } from '../support/follower/followed.ts'
import { addressOf } from '../support/follower/memory-chain.ts'
import { type Fault, startFaultProxy } from '../support/proxies/fault-proxy.ts'
import { atFileEnd } from '../support/vitest/at-file-end.ts'

// The follower of a chain over HTTP and DynamoDB, while the indexer answers wrongly. The clock moves only when the
// follower waits.

await startTestAws()
const table = openTable()
const notes = dynamoFollowNotes(table)
const log = dynamoNftEventLog(table)
const { put, empty } = storedItems(table)

const world = sampleWorld()
const indexer = await startIndexerServer({ world, now: () => Date.now() })
atFileEnd(() => indexer.close())
/** Replaces an answer to a method of JSON-RPC; an error has no result. */
let falsify: (method: string, answer: Answer) => Fault | undefined = () => undefined
const proxy = await startFaultProxy(
  {
    target: indexer.url,
    onResponse: ({ body }, answer) => falsify(body.method, JSON.parse(String(answer.body))),
  },
  atFileEnd,
)

interface Answer {
  jsonrpc: string
  id: number
  // biome-ignore lint/suspicious/noExplicitAny: the tests spoil answers of any form
  result: any
  error?: unknown
}

const chain = 'POLYGON'
const network = 'polygon-mainnet'
const { address: contract } = samples.collections.lanterns
const apiKey = 'the-secret-key'
let start = 1_800_000_000_000
let tokenId = 1_000_000
let followers = 0

beforeEach(async () => {
  // Blocks are never made a second time.
  start += 86_400_000
  vi.useFakeTimers({ toFake: ['Date'], now: start })
  await empty()
  await put(followedContractKey({ chain, address: contract }), { watchedUntil: start + 86_400_000 })
})

afterEach(() => {
  falsify = () => undefined
  vi.useRealTimers()
})

const sleep = async (milliseconds: number) => {
  vi.setSystemTime(Date.now() + milliseconds)
}

/** Follows the chain for some seconds. The reason of a failure says nothing of the key or the URL. */
async function follow(seconds: number) {
  followers += 1
  const chainEvents = alchemyChainEvents(async () => apiKey, { baseUrl: proxy.url })
  const ports = { chainEvents, followNotes: notes, now: Date.now, sleep }
  const until = Date.now() + seconds * 1_000
  const report = await followChain({ chain, holder: `${followers}` }, ports, settings, until)
  expect(JSON.stringify(report)).not.toMatch(/secret|127\.0\.0\.1|explains/)
  return report
}

/** Mints an NFT in the next block. */
function mint(): void {
  tokenId += 1
  const to = addressOf(tokenId)
  transfer(world, { network, address: contract, tokenId: `${tokenId}` }, { to }, Date.now())
}

/** The blocks with movements, since the contract is logged, that the log has neither as events nor as missed: readers rely on it up to its position. */
async function holes(): Promise<number[]> {
  const { loggedUpTo } = (await log.positions([chain])).get(chain) ?? {}
  if (!loggedUpTo) return []
  const upTo = loggedUpTo.number
  const from = { block: 0 }
  // What was missed is told before the next block.
  const to = { from, upTo: upTo + 1, limit: 1_000 }
  const { entries } = await log.entries({ chain, address: contract }, to)
  const isTold = (number: number) =>
    entries.some(({ block, content }) =>
      content.kind === 'missed'
        ? number >= (content.fromBlock ?? 0) && number <= content.toBlock
        : block.number === number,
    )
  const blocks = world[network].chain.events.map(({ block }) => block)
  return blocks.filter((number) => number <= upTo && !isTold(number))
}

/** Follows until everything that has happened is logged. */
async function followToTheEnd(): Promise<void> {
  await follow(90)
  const last = world[network].chain.events.at(-1)?.block ?? 0
  expect((await log.positions([chain])).get(chain)?.loggedUpTo.number).toBeGreaterThan(last)
  expect(await holes()).toEqual([])
}

const inLogs = (spoil: (answer: Answer) => unknown) => (method: string, answer: Answer) =>
  method === 'eth_getLogs' ? { status: 200, body: spoil(answer) } : undefined

/** Spoils the entries of a log that has any. */
const inEntries = (members: object) =>
  inLogs((answer) => ({
    ...answer,
    result: answer.result.map((log: object) => ({ ...log, ...members })),
  }))

const inBlocks = (members: object) => (method: string, answer: Answer) =>
  method === 'eth_getBlockByNumber'
    ? { status: 200, body: { ...answer, result: { ...answer.result, ...members } } }
    : undefined

const every = (fault: Fault) => () => fault
/** An error of a node that repeats the key. */
const errorBody = (code: number, message: string) => ({
  ...{ jsonrpc: '2.0', id: 1 },
  error: { code, message: `${message} ${apiKey}` },
})
const error = (code: number, message: string) => inLogs(() => errorBody(code, message))
const refusing = (code: number, message: string) => (method: string) =>
  method === 'eth_getLogs' ? { status: 400, body: errorBody(code, message) } : undefined
const behind = refusing(-32602, 'block range extends beyond current head block')

/** A topic list of a Transfer, with these many topics. */
const withTopics = (count: number) =>
  inLogs((answer) => ({
    ...answer,
    result: answer.result.map((log: { topics: string[] }) => ({
      ...log,
      topics: Array.from({ length: count }, (_, index) => log.topics[index] ?? log.topics[3]),
    })),
  }))

const page = '<!DOCTYPE html><h1>explains</h1>'
const html = { 'content-type': 'text/html', 'retry-after': '60' }

/** Answers of which none may make the notes incomplete, and after which the chain is followed again. */
const answers: [string, typeof falsify][] = [
  ['that are text', every({ status: 200, body: 'explains' })],
  ['that are a page', every({ status: 200, headers: html, body: page })],
  ['that are a page with 503', every({ status: 503, headers: html, body: page })],
  ['429', every({ status: 429, headers: html, body: '{"error":"explains"}' })],
  ['401', every({ status: 401, body: 'explains' })],
  ['that are cut off', every('drop')],
  ['of another call', inLogs((answer) => ({ ...answer, id: 2, result: [] }))],
  ['without a result', inLogs(({ jsonrpc, id }) => ({ jsonrpc, id }))],
  ['with the result null', inLogs((answer) => ({ ...answer, result: null }))],
  ['that are an error', error(-32000, 'header not found')],
  ['that are a limit of rates', error(429, 'compute units per second')],
  ['400 of a node that is behind', behind],
  ['400', (method) => (method === 'eth_getLogs' ? { status: 400, body: 'no' } : undefined)],
  ['with entries that are null', inLogs((answer) => ({ ...answer, result: [null] }))],
  ['with events that were removed', inEntries({ removed: true })],
  ['with events of later blocks', inEntries({ blockNumber: '0xfffffffffff' })],
  ['with events of no block', inEntries({ blockNumber: null, blockHash: null })],
  ['with blocks beyond 2^53', inEntries({ blockNumber: '0x20000000000001' })],
  ['with an index beyond 2^53', inEntries({ logIndex: '0x20000000000001' })],
  ['with events of another contract', inEntries({ address: addressOf(1) })],
  ['with topics that are none', inEntries({ topics: ['0x1', '0x2', '0x3', '0x4'] })],
  ['with events without their topics', withTopics(0)],
  ['with events of one topic', withTopics(1)],
  ['with events of five topics', withTopics(5)],
  ['with data that is none', inEntries({ data: 7 })],
  [
    'with null in place of blocks',
    (method, answer) =>
      method === 'eth_getBlockByNumber'
        ? { status: 200, body: { ...answer, result: null } }
        : undefined,
  ],
  ['with blocks without a time', inBlocks({ timestamp: null })],
  ['with blocks of 1970', inBlocks({ timestamp: '0x0' })],
  ['with blocks of the future', inBlocks({ timestamp: '0x80000000' })],
  ['with blocks of times beyond 2^53', inBlocks({ timestamp: '0xfffffffffffff' })],
  ['with blocks without numbers', inBlocks({ number: null })],
  ['with the number 0 for all blocks', inBlocks({ number: '0x0' })],
  ['with the number 2^52 for all blocks', inBlocks({ number: '0xfffffffffffff' })],
  ['with hashes of other blocks', inBlocks({ hash: `0x${'0'.repeat(64)}` })],
  ['with hashes that are none', inBlocks({ hash: '0x' })],
]

describe('D117: complete logs, or missed blocks, whatever the indexer answers', () => {
  test.each(answers)('answers %s', async (_, wrong) => {
    await follow(11)
    mint()
    await sleep(5_000)
    falsify = wrong
    await follow(11)
    expect(await holes()).toEqual([])
    mint()
    await follow(6)
    expect(await holes()).toEqual([])
    falsify = () => undefined
    expect(await follow(6)).toMatchObject({ failures: 0 })
    expect((await notes.position(chain))?.head.at).toBeGreaterThan(Date.now() - 10_000)
    await followToTheEnd()
  })

  test.each(answers)('from the first poll on: answers %s', async (_, wrong) => {
    falsify = wrong
    mint()
    await follow(11)
    expect(await holes()).toEqual([])
    falsify = () => undefined
    mint()
    await sleep(5_000)
    expect(await follow(6)).toMatchObject({ failures: 0 })
    await followToTheEnd()
  })

  /** Answers that say that the range is too large, whatever it is. */
  test.each<[string, typeof falsify]>([
    [
      '-32602',
      error(-32602, 'Log response size exceeded. This block range should work: [0x1, 0x2]'),
    ],
    ['-32005', error(-32005, 'query returned more than 10000 results')],
    ['400', refusing(-32600, 'You can make eth_getLogs requests with up to a 10 block range')],
    ['413', (method) => (method === 'eth_getLogs' ? { status: 413, body: 'explains' } : undefined)],
  ])('a contract whose every range is refused is suspended: %s', async (_, refusal) => {
    await follow(11)
    mint()
    await sleep(5_000)
    falsify = refusal
    expect(await follow(1)).toMatchObject({ steps: 1, failures: 0, refused: 1, busy: 0 })
    expect(await notes.contracts(chain)).toMatchObject([{ suspendedUntil: expect.any(Number) }])
    falsify = () => undefined
    await follow(6)
    expect(await holes()).toEqual([])
    expect(await notes.contracts(chain)).toMatchObject([{ suspendedUntil: expect.any(Number) }])
  })

  test('D139: a node that is behind for seven seconds suspends no contract, and its polls fail with what it says', async () => {
    await follow(11)
    const [before] = await notes.contracts(chain)
    await sleep(5_000)
    falsify = behind
    expect(await follow(7)).toMatchObject({
      ...{ steps: 0, failures: 2, busy: 0, refused: 0 },
      reason: 'HTTP 400: block range extends beyond current head block [key]',
    })
    falsify = () => undefined
    expect(await follow(1)).toMatchObject({ steps: 1, failures: 0 })
    expect(await notes.contracts(chain)).toEqual([before])
  })
})
