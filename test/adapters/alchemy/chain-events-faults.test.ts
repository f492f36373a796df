import type { ServerResponse } from 'node:http'
import { setTimeout as wait } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { RangeTooLarge } from '../../../lib/domain/ports/chain-events.ts'
import {
  type Answer,
  apiKey,
  contract,
  elsewhere,
  expectMalformed,
  failureOf,
  http,
  inTime,
  type Stub,
  stubIndexer,
} from './alchemy-stub.ts'
import {
  alice,
  askEvents,
  blockJson,
  bob,
  entry,
  hash,
  rpc,
  rpcError,
  tokenId,
  topics,
  transfer,
  word,
  zero,
} from './rpc-json.ts'

describe('D152: an event log that is not complete and well formed is no event log', () => {
  test.each([
    ['nothing', ''],
    ['text', 'secret'],
    ['half of it', rpc([entry()]).slice(0, 80)],
    ['a page', '<!DOCTYPE html><title>Attention Required! secret</title>'],
    ['null', 'null'],
    ['a number', '7'],
    ['a batch', `[${rpc([])}]`],
    ['no result', '{"jsonrpc":"2.0","id":1}'],
    ['the result of another call', '{"jsonrpc":"2.0","id":2,"result":[]}'],
    ['a result without an id', '{"jsonrpc":"2.0","result":[]}'],
    ['null as the result', rpc(null)],
    ['an object as the result', rpc({ 0: entry(), length: 1 })],
    ['a text as the result', rpc('0x')],
    ['an error', rpcError(429, 'Your app has exceeded its compute units per second')],
    ['an error beside a result', '{"jsonrpc":"2.0","id":1,"result":[],"error":{"code":-32000}}'],
    ['an error without a message', '{"jsonrpc":"2.0","id":null,"error":"secret"}'],
  ])('%s', async (_, body) => {
    await expectMalformed(body, ({ chainEvents }) => askEvents(chainEvents))
  })

  test.each<[string, unknown]>([
    ['null', null],
    ['a number', 7],
    ['nothing', {}],
    ['no topics', entry({ topics: null })],
    ['topics that are a text', entry({ topics: topics.Transfer })],
    ['an empty list of topics', entry({ topics: [] })],
    ['another event', entry({ topics: [word('9'), ...transfer.slice(1)] })],
    ['a topic that is a number', entry({ topics: [topics.Transfer, 1, 2, 3] })],
    ['a topic of 20 bytes', entry({ topics: [topics.Transfer, alice, word(bob), tokenId] })],
    ['a topic of 33 bytes', entry({ topics: [...transfer.slice(0, 2), `${zero}00`, tokenId] })],
    ['no contract', entry({ address: undefined })],
    ['a contract of 21 bytes', entry({ address: `${contract}00` })],
    ['a contract that was not asked for', entry({ address: elsewhere })],
    ['no block', entry({ blockNumber: undefined })],
    ['a block that is not made yet', entry({ blockNumber: null, blockHash: null })],
    ['a block in decimal digits', entry({ blockNumber: '100' })],
    ['a block that is a number', entry({ blockNumber: 100 })],
    ['a block without digits', entry({ blockNumber: '0x' })],
    ['the block 2^53 + 100', entry({ blockNumber: '0x20000000000064' })],
    ['the block 2^256 + 100', entry({ blockNumber: `0x1${'0'.repeat(62)}64` })],
    ['a block before the range', entry({ blockNumber: '0x63' })],
    ['a block after the range', entry({ blockNumber: '0x6f' })],
    ['no hash', entry({ blockHash: undefined })],
    ['a hash of 31 bytes', entry({ blockHash: hash.slice(0, -2) })],
    ['no index', entry({ logIndex: undefined })],
    ['an index beyond 2^53', entry({ logIndex: '0x20000000000001' })],
    ['an event that was removed', entry({ removed: true })],
  ])('with an entry that has %s', async (_, wrong) => {
    await expectMalformed(rpc([entry(), wrong]), ({ chainEvents }) => askEvents(chainEvents))
  })
})

describe('D152: a block that is not complete and well formed is no block', () => {
  test.each([
    ['without anything', {}],
    ['that is a list', [blockJson()]],
    ['without a number', blockJson({ number: undefined })],
    ['with the number null', blockJson({ number: null })],
    ['with another number', blockJson({ number: '0x65' })],
    ['with the number 2^53 + 100', blockJson({ number: '0x20000000000064' })],
    ['without a hash', blockJson({ hash: null })],
    ['with a hash of 20 bytes', blockJson({ hash: contract })],
    ['without a time', blockJson({ timestamp: undefined })],
    ['with a time in decimal digits', blockJson({ timestamp: '1790000000' })],
    ['with a time beyond 2^53 seconds', blockJson({ timestamp: '0x20000000000000' })],
    ['with a time beyond 2^53 milliseconds', blockJson({ timestamp: '0xfffffffffffff' })],
  ])('%s', async (_, result) => {
    const ask = ({ chainEvents }: Stub) => chainEvents.block('POLYGON', 100, inTime())
    await expectMalformed(rpc(result), ask)
  })
})

describe('D152: a range or an answer that is too large', () => {
  const limits = 'You can make eth_getLogs requests with up to a 2K block range'
  const works = 'this block range should work: [0x64, 0x65]'
  const freePlan = 'Under the Free tier plan, up to a 10 block range'
  const gzip = { 'content-encoding': 'gzip' }

  test.each<[string, Answer]>([
    ['-32602', rpcError(-32602, `Log response size exceeded. ${limits}. ${works}`)],
    ['-32005', rpcError(-32005, 'query returned more than 10000 results. secret')],
    ['-32000', rpcError(-32000, 'block range is too wide')],
    ['HTTP 400', http(400, rpcError(-32600, `${freePlan} secret`))],
    ['HTTP 400, with a text', http(400, `${freePlan} secret`)],
    ['HTTP 400, compressed', http(400, gzipSync(rpcError(-32600, freePlan)), gzip)],
    ['HTTP 413', http(413, 'secret')],
    ['a length over 8 MiB', http(200, '', { 'content-length': `${9 * 1_048_576}` })],
    ['a body over 8 MiB', `"${' '.repeat(8 * 1_048_576)}"`],
  ])('is RangeTooLarge, which says nothing of the answer: %s', async (_, answer) => {
    const { chainEvents, requests } = await stubIndexer(answer)
    const failure = await askEvents(chainEvents).catch((error: unknown) => error)
    expect(failure).toBeInstanceOf(RangeTooLarge)
    expect(`${failure} ${JSON.stringify(failure)}`).toBe('Error {}')
    expect(requests).toHaveLength(1)
  })
})

describe('D139: an error that is no limit has its message in the reason, shortened and without the key', () => {
  const behind = 'block range extends beyond current head block'
  const long = 'a'.repeat(300)
  const key = encodeURIComponent(apiKey)

  test.each<[string, Answer, string]>([
    ['400', http(400, rpcError(-32602, behind)), `HTTP 400: ${behind}`],
    ['400 with a text', http(400, behind), `HTTP 400: ${behind}`],
    ['400 with a text as the error', http(400, `{"error":"${behind}"}`), `HTTP 400: ${behind}`],
    ['400 with a message', http(400, `{"message":"${behind}"}`), `HTTP 400: ${behind}`],
    ['400 with another object', http(400, '{"error":{"code":-32602}}'), 'HTTP 400'],
    ['400 without a body', http(400, ''), 'HTTP 400'],
    ['400 with more than 16 KiB', http(400, rpcError(1, 'b'.repeat(16_384))), 'HTTP 400'],
    [
      '400 that is cut off',
      (response) => {
        response.writeHead(400, { 'content-length': 500 })
        response.write(rpcError(1, behind), () => response.destroy())
      },
      'HTTP 400',
    ],
    ['400 with a long message', http(400, rpcError(1, long)), `HTTP 400: ${long.slice(0, 200)}`],
    [
      '400 with the key, wallets and numbers',
      http(400, rpcError(1, `${apiKey} ${key} ${alice}\nblock 0x5f is not 7, see /v2/${key}`)),
      'HTTP 400: [key] [key] [struck out] block # is not #, see [struck out]',
    ],
    [
      'an error in place of the result',
      rpcError(-32000, `limit exceeded for ${apiKey}`),
      'malformed answer: a JSON-RPC error: limit exceeded for [key]',
    ],
  ])('%s', async (_, answer, reason) => {
    const { chainEvents, requests } = await stubIndexer(answer)
    expect((await failureOf(askEvents(chainEvents))).reason).toBe(reason)
    expect(requests).toHaveLength(1)
  })
})

const answer = rpc([entry()])

/** Four calls at once, whose answers the test sends. */
async function fourCalls() {
  const responses: ServerResponse[] = []
  const { chainEvents } = await stubIndexer((response) => responses.push(response))
  const answered: number[] = []
  const calls = [0, 1, 2, 3].map(async () => {
    const events = await askEvents(chainEvents)
    answered.push(events.length)
  })
  await expect.poll(() => responses.length).toBe(4)
  return { responses, answered, calls }
}

/** Lets everything run that does not wait for an answer. */
const settled = () => wait(100)

describe('D152: at most two answers of eth_getLogs are held at once', () => {
  test('a third one waits until one of them is read', async () => {
    const { responses, answered, calls } = await fourCalls()
    const [first, second, ...others] = responses
    for (const response of [first, second]) response?.write(answer.slice(0, 10))
    await settled()
    for (const response of others) response.end(answer)
    await settled()
    expect(answered).toEqual([])
    first?.end(answer.slice(10))
    // The place of the first one is enough for the others, one after the other.
    await expect.poll(() => answered).toEqual([1, 1, 1])
    second?.end(answer.slice(10))
    await Promise.all(calls)
  })

  test('a call whose answer has not begun keeps no other from its own', async () => {
    const { responses, answered, calls } = await fourCalls()
    responses.at(-1)?.end(answer)
    await expect.poll(() => answered).toEqual([1])
    for (const response of responses.slice(0, -1)) response.end(answer)
    await Promise.all(calls)
  })

  test('a call that fails leaves its place, and so does one that waits for it', async () => {
    const responses: ServerResponse[] = []
    const { chainEvents } = await stubIndexer((response) => responses.push(response))
    const failures = [0, 1].map(() => askEvents(chainEvents).catch((error) => error.reason))
    await expect.poll(() => responses.length).toBe(2)
    for (const response of responses) response.write(answer.slice(0, 10))
    await settled()
    const waiting = askEvents(chainEvents, Date.now() + 500).catch((error) => error.reason)
    await expect.poll(() => responses.length).toBe(3)
    responses[2]?.end(answer)
    expect(await waiting).toMatch(/^timed out/)
    for (const response of responses) response.destroy()
    expect(await Promise.all(failures)).toEqual(Array(2).fill('connection lost within an answer'))
    const next = askEvents(chainEvents)
    await expect.poll(() => responses.length).toBe(4)
    responses[3]?.end(answer)
    expect(await next).toHaveLength(1)
  })
})
