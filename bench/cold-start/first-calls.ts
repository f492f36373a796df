import type * as v from 'valibot'
import { type OperationId, operationIds, type Routes, routes } from '../../functions/operations.ts'
import { workerName } from '../../infra/bundle/bundle.ts'
import type { Route } from '../../lib/contract/route.ts'
import { functionName } from '../../lib/contract/route.ts'
import { eventOf, type Sent } from '../scenario/events.ts'
import { signIn } from '../scenario/players.ts'
import {
  chain,
  type SeededProduct,
  seedNaiveProduct,
  seedProduct,
  tokenIds,
} from '../scenario/products.ts'
import { newWallet } from '../scenario/wallets.ts'
import type { Surroundings } from '../stubs/surroundings.ts'
import type { Peer, Subjects } from '../subjects/bundles.ts'

/** The first call of each function by name. `prepare` restores the state that earlier calls changed. */
export type FirstCalls = Record<string, { event: unknown; prepare: () => void }>

/** The smallest first calls: a product with ten allowlisted NFTs and a player who holds them. */
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

/** The input of an operation beside its credentials. */
type Input = Pick<Sent, 'body' | 'path' | 'query'>

type Fields<R extends Route> = R extends
  | { body: infer Schema extends v.GenericSchema }
  | { query: infer Schema extends v.GenericSchema }
  ? v.InferInput<Schema>
  : unknown

/** The operations that have a required field, or a parameter in the path. */
type NeedsInput = {
  [Id in OperationId]: Routes[Id] extends { pathParameters: readonly string[] }
    ? Id
    : Partial<Fields<Routes[Id]>> extends Fields<Routes[Id]>
      ? never
      : Id
}[OperationId]

/** The input of each operation that has a required field, and of any other operation. */
type Inputs = Record<NeedsInput, Input> & Partial<Record<OperationId, Input>>

function callsOf(product: SeededProduct, userJwt: string, playerToken: string): FirstCalls {
  const { apiKey, address: contractAddress, furtherKeyId = '', restore } = product
  const query = { contractAddress, chain }
  const allowlisting = {
    contractAddress,
    contractDescription: 'The keepers of the lamps.',
    tokens: tokenIds(1),
  }
  const registration = {
    name: 'Lanterns of Brindlewake',
    contactEmail: 'studio@brindlewake.example',
    companyName: 'Gull Harbour Games',
  }
  const inputs: Inputs = {
    registerProduct: { body: registration },
    updateProduct: { body: { name: registration.name } },
    deleteProduct: { query: { confirm: registration.name } },
    createKey: { body: { label: 'Game servers', scope: 'READ' } },
    rotateKey: { path: { keyId: furtherKeyId }, body: {} },
    endKey: { path: { keyId: furtherKeyId } },
    allowlistNfts: { body: allowlisting },
    unbindContract: { query },
    unbindNfts: { query: { ...query, tokens: '1' } },
    unbindNftList: { body: { ...query, tokens: ['1'] } },
    refreshMetadata: { body: { smartContract: contractAddress } },
  }
  const requestOf = (id: OperationId) => {
    const { auth, player }: Route = routes[id]
    return {
      ...(auth === 'PRODUCT' && { apiKey }),
      ...(auth === 'USER' && { userJwt }),
      ...(player && { query: { playerToken } }),
      ...inputs[id],
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
