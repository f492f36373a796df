import { type OperationId, operationIds, routes } from '../../functions/operations.ts'
import { workerName } from '../../infra/bundle/bundle.ts'
import { delivererName, followerName } from '../../lib/contract/background-names.ts'
import { functionName, type Route } from '../../lib/contract/route.ts'
import { documentedInput } from '../../openapi/operations.ts'
import { eventOf, type Sent } from '../scenario/events.ts'
import { keepContract, keepWallet } from '../scenario/keeping.ts'
import { newWallet, signIn } from '../scenario/players.ts'
import { chain, type SeededProduct, seedNaiveProduct, seedProduct } from '../scenario/products.ts'
import type { Surroundings } from '../stubs/surroundings.ts'
import type { Peer, Subjects } from '../subjects/bundles.ts'
import { signInCalls, webhookCalls } from './prepared-calls.ts'
import type { FirstCalls } from './samples.ts'

/**
 * The first calls of every function that a deployment can have, with the documented input: a product with ten allowlisted NFTs and
 * a player who holds them. Players who sign in with wallets, and webhooks, are new in each call, made by functions that end with
 * `ending`.
 */
export async function firstCallsOf(
  subjects: Subjects,
  surroundings: Surroundings,
  ending: AsyncDisposableStack,
): Promise<Record<Peer, FirstCalls>> {
  const { table } = surroundings
  const wallet = newWallet(surroundings, 10)
  const { userJwt, playerToken } = await signIn(subjects, surroundings, [wallet])
  const product = seedProduct(table, 10)
  keepContract(table)
  await keepWallet(surroundings, wallet, 10)
  return {
    ours: {
      ...callsOf(product, userJwt, playerToken),
      ...(await webhookCalls(subjects, surroundings, ending)),
      ...(await signInCalls(subjects, surroundings, ending)),
      ...background,
    },
    naive: callsOf(seedNaiveProduct(table, 10), userJwt, playerToken),
  }
}

/** A message of a queue about a product that is gone, so that nothing is left to do. */
const messageOf = (body: object) => ({
  Records: [{ messageId: '1', receiptHandle: '1', body: JSON.stringify(body) }],
})
const gone = { productId: 'bench' }

/** The first calls of the functions that are no operations of the API. */
const background: FirstCalls = {
  [workerName]: {
    event: messageOf({
      ...{ kind: 'sweep', ...gone },
      contract: { chain, address: `0x${'0'.repeat(40)}`, bindingId: 'gone' },
    }),
  },
  [delivererName]: {
    event: messageOf({ kind: 'test', ...gone, webhookId: 'gone', testId: '1' }),
  },
  // No chain is followed, because a follower polls until the next minute.
  [followerName]: { event: {}, answers: 'nothing' },
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
  return Object.fromEntries(
    operationIds.map((id) => {
      const request = eventOf(requestOf(id))
      const event = () => {
        restore()
        return request
      }
      return [functionName(id), { event }]
    }),
  )
}
