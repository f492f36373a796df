import { describe, expect, test } from 'vitest'
import { tokenIdOf } from '../../../lib/domain/allowlist/token-id.ts'
import type { ChainState } from '../../../lib/domain/ports/chain-events.ts'
import { downstreamCalls } from '../../../lib/observability/downstream-calls.ts'
import {
  type Answer,
  always,
  expectMalformed,
  failureOf,
  type Stub,
  stubIndexer,
} from './alchemy-stub.ts'
import {
  alice,
  askState,
  blockJson,
  bob,
  byCall,
  hash,
  reverted,
  rpc,
  rpcError,
  word,
} from './rpc-json.ts'

const tokenIds = [1n, 2n].map(tokenIdOf)
const ownersOf = (chainState: ChainState) => chainState.ownersOf({ ...askState(), tokenIds })
const countsOf = (chainState: ChainState) =>
  chainState.countsOf({ ...askState(), wallets: [alice, bob] })
const balancesOf = (chainState: ChainState) =>
  chainState.balancesOf({
    ...askState(),
    pairs: tokenIds.map((tokenId) => ({ wallet: alice, tokenId })),
  })

const words = (...hex: string[]) => `0x${hex.map((each) => word(each).slice(2)).join('')}`

describe('D30: what is not complete and well formed is no state', () => {
  test.each<[string, (chainState: ChainState) => Promise<unknown>, unknown]>([
    ['an owner of 31 bytes', ownersOf, word(alice).slice(0, -2)],
    ['an owner of 20 bytes', ownersOf, alice],
    ['an owner with other bytes before it', ownersOf, `0x1${word(alice).slice(3)}`],
    ['two owners', ownersOf, words(alice, bob)],
    ['an owner of no digits', ownersOf, `0x${'g'.repeat(64)}`],
    ['a result that is a number', ownersOf, { result: 1 }],
    ['null as the result', ownersOf, { result: null }],
    ['neither a result nor an error', ownersOf, {}],
    ['another error', ownersOf, reverted(-32000, 'header not found')],
    ['too many calls', ownersOf, reverted(429, 'exceeded its compute units per second')],
    ['an error that is a text', ownersOf, { error: 'execution reverted' }],
    ['a revert beside a result', countsOf, { ...reverted(3, ''), result: word('1') }],
    ['nothing as a count', countsOf, '0x'],
    ['a revert as a count', countsOf, reverted(3, 'execution reverted')],
    ['two counts', countsOf, words('1', '1')],
    ['a revert as balances', balancesOf, reverted(-32000, 'execution reverted')],
    ['nothing as balances', balancesOf, '0x'],
    ['fewer balances', balancesOf, words('20', '1', '5')],
    ['more balances', balancesOf, words('20', '3', '5', '5', '5')],
    ['balances after their length', balancesOf, words('20', '2', '5', '5', '5')],
    ['another offset', balancesOf, words('40', '2', '5', '5')],
    ['the length of another list', balancesOf, words('20', '3', '5', '5')],
  ])('%s', async (_, ask, answer) => {
    await expectMalformed(
      byCall(() => answer),
      ({ chainState }) => ask(chainState),
    )
  })

  const response = (id: unknown) => ({ jsonrpc: '2.0', id, result: word(alice) })

  test.each<[string, string]>([
    ['text', 'secret'],
    ['null', 'null'],
    ['an object', '{}'],
    ['one response', rpc(word(alice))],
    ['one error', rpcError(-32000, 'secret')],
    ['no responses', '[]'],
    ['fewer responses', JSON.stringify([response(0)])],
    ['more responses', JSON.stringify([0, 1, 2].map(response))],
    ['a null', JSON.stringify([response(0), null])],
    ['half of it', JSON.stringify([0, 1].map(response)).slice(0, -20)],
  ])('an answer that is %s', async (_, body) => {
    await expectMalformed(body, ({ chainState }) => ownersOf(chainState))
  })

  test.each([
    [0, 0],
    [0, 2],
    [0, null],
  ])('the responses to the calls %j and %j', async (...answered) => {
    const ask = ({ chainState }: Stub) => ownersOf(chainState)
    await expectMalformed(JSON.stringify(answered.map(response)), ask, 'the result of another call')
  })

  test('an answer over 4 MiB', async () => {
    const { chainState } = await stubIndexer(always(' '.repeat(4 * 1_048_576 + 1)))
    expect((await failureOf(ownersOf(chainState))).reason).toBe('an answer over 4 MiB')
  })
})

describe('a node that does not take the hash of a block', () => {
  const refusal = reverted(-32602, 'invalid argument 1: hex string without 0x prefix, secret')
  const [here, replaced] = [rpc(blockJson()), rpc(blockJson({ hash: word('99') }))]

  /** Refuses the hash, and answers each question for the block with the next of `blocks`. */
  function refusing(blocks: readonly string[], refuse?: Answer): Answer {
    const left = [...blocks]
    return (response, request, turn) => {
      if (request.body.includes('eth_getBlockByNumber')) response.end(left.shift())
      else if (refuse && request.body.includes(hash)) refuse(response, request, turn)
      else
        byCall((_data, _id, at) => (at === '0x64' ? word(bob) : refusal))(response, request, turn)
    }
  }

  test.each<[string, Answer | undefined]>([
    ['in each response', undefined],
    ['in place of all responses', always(rpcError(-32602, 'secret'))],
    ['with HTTP 400', (response) => response.writeHead(400).end('secret')],
  ])('is asked by number, and the block is the same before and after: %s', async (_, refuse) => {
    const { chainState, requests } = await stubIndexer(refusing([here, here], refuse))
    const counts = await downstreamCalls.during(async () => {
      expect(await ownersOf(chainState)).toEqual([bob, bob])
      return downstreamCalls.counts()
    })
    const methods = requests.map(({ body }) => [JSON.parse(body)].flat()[0].method)
    const [before, after] = Array(2).fill('eth_getBlockByNumber')
    expect(methods).toEqual(['eth_call', before, 'eth_call', after])
    expect(JSON.parse(requests[1]?.body ?? '').params).toEqual(['0x64', false])
    expect(counts).toEqual({ indexerCalls: 4, indexerFailures: 0, indexerUnits: 144 })
  })

  test.each<[string, string[], number]>([
    ['before', [replaced], 2],
    ['in between', [here, replaced], 4],
    ['so that it is missing', [here, rpc(null)], 4],
  ])('fails if the block was replaced %s', async (_, blocks, calls) => {
    const { chainState, requests } = await stubIndexer(refusing(blocks))
    const counts = await downstreamCalls.during(async () => {
      const { reason } = await failureOf(ownersOf(chainState))
      expect(reason).toBe('the block is not part of the chain any more')
      return downstreamCalls.counts()
    })
    expect([requests.length, counts.indexerFailures]).toEqual([calls, 1])
  })

  test.each<[string, Answer, string]>([
    ['an error', byCall(() => refusal), 'malformed answer: a JSON-RPC error'],
    ['HTTP 400', (response) => response.writeHead(400).end('secret'), 'HTTP 400'],
  ])('fails if it does not take the number either: %s', async (_, refuse, reason) => {
    const { chainState } = await stubIndexer((response, request, turn) =>
      request.body.includes('eth_getBlockByNumber')
        ? response.end(here)
        : refuse(response, request, turn),
    )
    expect((await failureOf(ownersOf(chainState))).reason).toBe(reason)
  })
})
