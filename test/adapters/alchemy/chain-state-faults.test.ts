import { describe, expect, test } from 'vitest'
import { tokenIdOf } from '../../../lib/domain/allowlist/token-id.ts'
import type { ChainState } from '../../../lib/domain/ports/chain-events.ts'
import { expectMalformed, failureOf, type Stub, stubIndexer } from './alchemy-stub.ts'
import { alice, askState, bob, byCall, reverted, rpc, rpcError, word } from './rpc-json.ts'

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
    ['a refused block', ownersOf, reverted(-32602, 'invalid argument 1')],
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
    const { chainState } = await stubIndexer(' '.repeat(4 * 1_048_576 + 1))
    expect((await failureOf(ownersOf(chainState))).reason).toBe('an answer over 4 MiB')
  })
})
