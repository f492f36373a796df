import { samples } from '@player-nfts/local/samples'
import type { OperationId } from '../../functions/operations.ts'
import { documentedInput } from '../../openapi/operations.ts'
import { acceptedSignIns } from '../../simulation/accepted-sign-ins.ts'
import { isOfSignIn, rowOf } from './operations.ts'
import type { Received, Sent } from './requests/client.ts'
import { keyIn, keysOf } from './requests/keys.ts'
import { productWith } from './requests/reading.ts'
import { webhookIn, webhooksOf } from './requests/webhooks.ts'
import { registration, type Service } from './services/service.ts'

/** The name of an operation for `call`, for example `GET /product`. */
export const callName = (id: OperationId, path: string = rowOf(id).paths[0]): string =>
  `${rowOf(id).method} ${path.replace('/api/public/v1', '')}`

/**
 * A request that the operation accepts, with a new product and a new player: the sample equipment is
 * allowlisted, and is in the player's wallet. A player who signs in with a wallet has a new one.
 */
export async function acceptedRequest(service: Service, id: OperationId): Promise<Sent> {
  const { call } = service
  if (isOfSignIn(id)) return await acceptedSignIns({ call, newGame: newGameOf(service) })[id]()
  const { auth, player, pathParameters } = rowOf(id)
  const apiKey =
    auth === 'PRODUCT' ? await productWith(service, samples.collections.gear) : undefined
  return {
    ...(apiKey && { apiKey }),
    ...(apiKey && pathParameters && { path: await pathOf(service, apiKey, pathParameters) }),
    ...(auth === 'USER' && { userJwt: await service.userJwt() }),
    ...(player && { playerToken: (await service.newPlayer(holders)).playerToken }),
    ...documentedInput(id),
  }
}

const holders = samples.players.threeWallets.wallets

/** A further key or a webhook of the product, as the path names it. */
async function pathOf(service: Service, apiKey: string, [name = '']: readonly string[]) {
  if (name === 'keyId') return { keyId: keyIn(await keysOf(service.call, apiKey).create()).keyId }
  return { webhookId: webhookIn(await webhooksOf(service.call, apiKey).create()).webhookId }
}

/** Makes products that sign players in with wallets. */
const newGameOf =
  ({ call }: Service) =>
  async (domain: string): Promise<string> => {
    const { productId, apiKey } = (await call('POST /product', { body: registration() })).json.data
    const body = { signIn: true, signInDomains: [domain] }
    await call('PATCH /product', { apiKey, body })
    return productId
  }

type Send = (id: OperationId, change: (accepted: Sent) => Sent) => Promise<Received>

/** Functions that send the request that an operation accepts, with a change. */
export function changedRequests(service: Service): { sendChanged: Send; sendRefused: Send } {
  const accepted = new Map<OperationId, Promise<Sent>>()
  return {
    sendChanged: async (id, change) =>
      await service.call(callName(id), change(await acceptedRequest(service, id))),

    /** For changes with which the response does not depend on the state of the product. */
    async sendRefused(id, change) {
      const sent = accepted.get(id) ?? acceptedRequest(service, id)
      accepted.set(id, sent)
      return await service.call(callName(id), change(await sent))
    },
  }
}
