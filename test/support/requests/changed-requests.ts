import type { OperationId } from '../../../functions/operations.ts'
import { acceptedRequest, callName } from '../accepted-requests.ts'
import type { Service } from '../services/service.ts'
import type { Received, Sent } from './client.ts'

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
