import type { ChainEvents, HashedBlock } from '../../domain/ports/chain-events.ts'
import { type Ask, countingFailures } from './asking.ts'
import { computeUnits } from './compute-units.ts'
import { blockIn } from './event-log.ts'
import { type RpcCall, rpcResult } from './json-rpc.ts'
import { malformedResponse } from './malformed-response.ts'

/** A block with the hashes of its transactions. */
const maxBlockBytes = 4 * 1_048_576

/** A number as JSON-RPC writes it. */
export const hex = (number: number): string => `0x${number.toString(16)}`

const call = (tag: string): RpcCall => ({
  method: 'eth_getBlockByNumber',
  params: [tag, false],
  maxBodyBytes: maxBlockBytes,
  units: computeUnits.eth_getBlockByNumber,
})

/** Reads the block of a number; `undefined` if the chain has none. Throws IndexerUnavailable. */
async function blockAt(
  url: string,
  number: number,
  timeoutMs: number,
): Promise<HashedBlock | undefined> {
  const answer = await rpcResult(url, call(hex(number)), timeoutMs)
  if (answer === null) return undefined
  const found = blockIn(answer)
  if (found.number !== number) throw malformedResponse('another block than asked for')
  return found
}

/** The blocks of chains, by the JSON-RPC of the indexer (D152). Failures are those of the indexer (D30). */
export const chainBlocks = (ask: Ask): Pick<ChainEvents, 'head' | 'block'> => ({
  head: (chain, deadline) =>
    countingFailures(
      ask(chain, deadline, async ({ jsonRpc, timeoutMs }) =>
        blockIn(await rpcResult(jsonRpc, call('latest'), timeoutMs)),
      ),
    ),
  block: (chain, number, deadline) =>
    countingFailures(
      ask(chain, deadline, ({ jsonRpc, timeoutMs }) => blockAt(jsonRpc, number, timeoutMs)),
    ),
})
