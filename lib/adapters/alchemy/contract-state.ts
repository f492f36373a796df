import { IndexerUnavailable } from '../../domain/failures.ts'
import type { StateQuery } from '../../domain/ports/chain-events.ts'
import { batchesOf } from '../../domain/some-at-once.ts'
import { unverified } from '../../json/unverified.ts'
import type { Ask } from './asking.ts'
import { blockAt, hex } from './chain-blocks.ts'
import { computeUnits } from './compute-units.ts'
import type { ContractCall } from './contract-calls.ts'
import { FailedExchange } from './http-exchange.ts'
import { type RpcResponse, rpcBatch } from './json-rpc.ts'
import { malformedResponse } from './malformed-response.ts'

/** The most calls of a request. Alchemy permits 1,000, whose answers a contract can make long. */
const maxCalls = 100

/** The largest answer that is read, in bytes. The usual one has up to 15 KB; reverts can have texts. */
const maxAnswerBytes = 4 * 1_048_576

/** The node does not take the block in the form in which it was named, as far as its answer says. */
class RefusedForm extends Error {
  /** The failure of the call if no form is left. */
  readonly failure: IndexerUnavailable
  constructor(failure: IndexerUnavailable) {
    super()
    this.failure = failure
  }
}

/**
 * The answers of a contract to calls, in their order, at a block that is part of the chain. The block is named by its hash (EIP-1898).
 * Where a node refuses that, it is named by its number, and has the hash before the calls and after them.
 */
export async function callsAt<Answer>(
  query: StateQuery,
  calls: readonly ContractCall<Answer>[],
  ask: Ask,
  perRequest = maxCalls,
): Promise<Answer[]> {
  const { number, hash } = query.block
  const at = (block: unknown) => answersAt({ ...query, named: block }, calls, ask, perRequest)
  try {
    return await at({ blockHash: hash, requireCanonical: true })
  } catch (error) {
    if (!(error instanceof RefusedForm)) throw error
  }
  await checkHash(query, ask)
  const answers = await at(hex(number)).catch((error: unknown) => {
    throw error instanceof RefusedForm ? error.failure : error
  })
  await checkHash(query, ask)
  return answers
}

/** The answers of a contract to calls, in their order, at the latest block. */
export const latestCalls = <Answer>(
  query: Omit<StateQuery, 'block'>,
  calls: readonly ContractCall<Answer>[],
  ask: Ask,
): Promise<Answer[]> =>
  answersAt({ ...query, named: 'latest' }, calls, ask, maxCalls).catch((error: unknown) => {
    throw error instanceof RefusedForm ? error.failure : error
  })

async function answersAt<Answer>(
  { contract, deadline, named }: Omit<StateQuery, 'block'> & { named: unknown },
  calls: readonly ContractCall<Answer>[],
  ask: Ask,
  perRequest: number,
): Promise<Answer[]> {
  const answers: Answer[] = []
  for (const part of batchesOf(calls, perRequest)) {
    const batch = {
      method: 'eth_call',
      params: part.map(({ data }) => [{ to: contract.address, data }, named]),
      maxBodyBytes: maxAnswerBytes,
      units: part.length * computeUnits.eth_call,
    }
    const responses = await ask(contract.chain, deadline, ({ jsonRpc, timeoutMs }) =>
      rpcBatch(jsonRpc, batch, timeoutMs),
    ).catch((error: unknown) => {
      throw error instanceof FailedExchange && error.status === 400 ? new RefusedForm(error) : error
    })
    const results = responses.map(resultIn)
    answers.push(...part.map(({ read }, index) => read(results[index])))
  }
  return answers
}

async function checkHash({ contract, block, deadline }: StateQuery, ask: Ask): Promise<void> {
  const found = await ask(contract.chain, deadline, ({ jsonRpc, timeoutMs }) =>
    blockAt(jsonRpc, block.number, timeoutMs),
  )
  if (found?.hash === block.hash) return
  throw new IndexerUnavailable('the block is not part of the chain any more')
}

/** The result of a call; `undefined` if the contract reverts it. Throws for any other error. */
function resultIn({ error, result }: RpcResponse): string | undefined {
  if (error !== undefined) {
    const { code, message } = unverified(error)
    if (code === 3 || (code === -32_000 && isRevert(message))) return undefined
    const failure = malformedResponse('a JSON-RPC error')
    throw code === invalidParams ? new RefusedForm(failure) : failure
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

/**
 * What nodes say that know no EIP-1898: "invalid argument 1: hex string without 0x prefix" and the like
 * (XinFinOrg/XDPoSChain#179, 0xPolygon/polygon-edge#253, on GitHub).
 */
const invalidParams = -32_602
