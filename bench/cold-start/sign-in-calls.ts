import { functionName } from '../../lib/contract/route.ts'
import { signInOperationIds } from '../../test/support/operations.ts'
import {
  acceptedSignIns,
  type SignInRequest,
} from '../../test/support/sign-in/accepted-sign-ins.ts'
import { eventOf } from '../scenario/events.ts'
import { seedProduct } from '../scenario/products.ts'
import { type WarmCall, warmFunctions } from '../scenario/warm-functions.ts'
import type { Surroundings } from '../stubs/surroundings.ts'
import type { Subjects } from '../subjects/bundles.ts'
import type { FirstCalls } from './samples.ts'

/** The first calls of the operations with which players sign in with their wallets (D110), each of a new player and a new game. */
export async function signInCalls(
  subjects: Subjects,
  surroundings: Surroundings,
  ending: AsyncDisposableStack,
): Promise<FirstCalls> {
  const calls: Readonly<Record<string, WarmCall>> = await warmFunctions(
    subjects,
    surroundings,
    ending,
    {
      'POST /login/message': 'create-sign-in-message',
      'POST /login': 'sign-in',
      'POST /login/user/wallets': 'add-wallet',
      'POST /device/authorization': 'authorize-device',
    },
  )
  const requests = acceptedSignIns({
    async call(operation: string, sent: SignInRequest) {
      const { [operation]: run } = calls
      if (!run) throw new Error(`${operation} does not run`)
      return { json: await run(sent) }
    },
    newGame: async (domain) => seedProduct(surroundings.table, 10, [domain]).productId,
  })
  return Object.fromEntries(
    signInOperationIds.map((id) => [
      functionName(id),
      { event: async () => eventOf(await requests[id]()) },
    ]),
  )
}
