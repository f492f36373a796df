import type { StateQuery } from '../../domain/ports/chain-events.ts'
import { batchesOf } from '../../domain/some-at-once.ts'
import { unverified } from '../../json/unverified.ts'
import type { Ask } from './asking.ts'
import { computeUnits } from './compute-units.ts'
import type { ContractCall } from './contract-calls.ts'
import { type RpcResponse, rpcBatch } from './json-rpc.ts'
import { malformedResponse } from './malformed-response.ts'

/** The most calls of a request. Alchemy permits 1,000, whose answers a contract can make long. */
const maxCalls = 100

/** The largest answer that is read, in bytes. The usual one has up to 15 KB; reverts can have texts. */
const maxAnswerBytes = 4 * 1_048_576

/** The answers of a contract to calls, in their order, at a block: by its hash (EIP-1898), so that it is part of the chain, or the latest. */
export async function contractAnswers<Answer>(
  { contract, deadline }: Omit<StateQuery, 'block'>,
  calls: readonly ContractCall<Answer>[],
  block: { blockHash: string; requireCanonical: true } | 'latest',
  ask: Ask,
  perRequest = maxCalls,
): Promise<Answer[]> {
  const answers: Answer[] = []
  for (const part of batchesOf(calls, perRequest)) {
    const batch = {
      method: 'eth_call',
      params: part.map(({ data }) => [{ to: contract.address, data }, block]),
      maxBodyBytes: maxAnswerBytes,
      units: part.length * computeUnits.eth_call,
    }
    const responses = await ask(contract.chain, deadline, ({ jsonRpc, timeoutMs }) =>
      rpcBatch(jsonRpc, batch, timeoutMs),
    )
    const results = responses.map(resultIn)
    answers.push(...part.map(({ read }, index) => read(results[index])))
  }
  return answers
}

/** The result of a call; `undefined` if the contract reverts it. Throws for any other error. */
function resultIn({ error, result }: RpcResponse): string | undefined {
  if (error !== undefined) {
    const { code, message } = unverified(error)
    if (code === 3 || (code === -32_000 && isRevert(message))) return undefined
    throw malformedResponse('a JSON-RPC error')
  }
  if (typeof result !== 'string') throw malformedResponse('no result of a call')
  return result
}

/**
 * Nodes tell it with code 3 if the contract gives a reason, else with a message: "execution reverted", and "invalid opcode: INVALID" or
 * "invalid jump destination" if an old contract does not know the function.
 */
const isRevert = (message: unknown): boolean =>
  /^(execution reverted|invalid opcode|invalid jump destination)/i.test(String(message))
