import { type OperationId, operationIds, routes } from '../../functions/operations.ts'
import { workerName } from '../../infra/bundle/bundle.ts'
import type { Route } from '../../lib/contract/route.ts'
import { functionName } from '../../lib/contract/route.ts'
import { documentedInput } from '../../openapi/operations.ts'
import { eventOf, type Sent } from '../scenario/events.ts'
import { signIn } from '../scenario/players.ts'
import { chain, type SeededProduct, seedNaiveProduct, seedProduct } from '../scenario/products.ts'
import { newWallet } from '../scenario/wallets.ts'
import type { Surroundings } from '../stubs/surroundings.ts'
import type { Peer, Subjects } from '../subjects/bundles.ts'

/** The first call of each function by name. `prepare` restores the state that earlier calls changed. */
export type FirstCalls = Record<string, { event: unknown; prepare: () => void }>

/** The first calls with the documented input: a product with ten allowlisted NFTs and a player who holds them. */
export async function firstCallsOf(
  subjects: Subjects,
  surroundings: Surroundings,
): Promise<Record<Peer, FirstCalls>> {
  const { table } = surroundings
  const wallet = newWallet(surroundings, 10)
  const { userJwt, playerToken } = await signIn(subjects, surroundings, [wallet])
  return {
    ours: callsOf(seedProduct(table, 10), userJwt, playerToken),
    naive: callsOf(seedNaiveProduct(table, 10), userJwt, playerToken),
  }
}

/** The message of an unbinding with nothing left to sweep. */
const sweepOfNothing = {
  Records: [
    {
      messageId: '1',
      body: JSON.stringify({
        kind: 'sweep',
        productId: 'bench',
        contract: { chain, address: `0x${'0'.repeat(40)}`, bindingId: 'gone' },
      }),
    },
  ],
}

function callsOf(
  { apiKey, furtherKeyId, restore }: SeededProduct,
  userJwt: string,
  playerToken: string,
): FirstCalls {
  const requestOf = (id: OperationId): Sent => {
    const { auth, player, pathParameters }: Route = routes[id]
    const { body, query } = documentedInput(id)
    const texts = Object.entries(query).map(([name, values]) => [name, String(values)])
    return {
      ...(auth === 'PRODUCT' && { apiKey }),
      ...(auth === 'USER' && { userJwt }),
      ...(pathParameters && furtherKeyId && { path: { keyId: furtherKeyId } }),
      query: { ...Object.fromEntries(texts), ...(player && { playerToken }) },
      body,
    }
  }
  const events = {
    ...Object.fromEntries(operationIds.map((id) => [functionName(id), eventOf(requestOf(id))])),
    [workerName]: sweepOfNothing,
  }
  return Object.fromEntries(
    Object.entries(events).map(([name, event]) => [name, { event, prepare: restore }]),
  )
}
