import { randomBytes } from 'node:crypto'
import { signInOperationIds } from '../../functions/operations.ts'
import { grantTypes } from '../../lib/contract/grant-types.ts'
import { functionName } from '../../lib/contract/route.ts'
import { type Account, accountOf } from '../../local/samples/sample-account.ts'
import { eventOf, type Sent } from '../scenario/events.ts'
import { chain, seedProduct } from '../scenario/products.ts'
import { warmFunctions } from '../scenario/warm-functions.ts'
import type { Surroundings } from '../stubs/surroundings.ts'
import type { Subjects } from '../subjects/bundles.ts'
import type { FirstCalls } from './samples.ts'

const [, device_grant] = grantTypes

/** The first calls of the operations with which players sign in with their wallets (D110), each of a new player. */
export async function signInCalls(
  subjects: Subjects,
  surroundings: Surroundings,
  ending: AsyncDisposableStack,
): Promise<FirstCalls> {
  const { ask, signIn, add, authorize, decide } = await warmFunctions(
    subjects,
    surroundings,
    ending,
    {
      ask: 'create-sign-in-message',
      signIn: 'sign-in',
      add: 'add-wallet',
      authorize: 'authorize-device',
      decide: 'decide-device-request',
    },
  )
  const { productId } = seedProduct(surroundings.table, 10)

  const newAccount = () => accountOf(randomBytes(32))
  const messageFor = ({ address }: Account, asked: object = {}) => ({
    body: { address, chain, ...asked },
  })

  /** A message of the service, signed. */
  async function signed(account: Account, asked: object = {}, session?: string) {
    const { message } = (await ask({ ...messageFor(account, asked), session })).data
    return { message, signature: account.sign(message) }
  }

  /** A new player who is signed in on the page. */
  async function enter() {
    const account = newAccount()
    const { session } = (await signIn({ body: await signed(account) })).data
    return { account, session: session as string }
  }

  /** What adds a further wallet to a player. */
  async function addition({ account, session }: Awaited<ReturnType<typeof enter>>) {
    const added = newAccount()
    const link = await signed(added, { link: true }, session)
    const consent = await signed(account, { consent: added.address }, session)
    return { added, body: { ...link, consent } }
  }

  const authorization = { form: { client_id: productId } }

  /** A code that the game of the product shows, and a player who has signed in to enter it. */
  async function codeOf() {
    const { user_code: userCode, device_code } = await authorize(authorization)
    return { ...(await enter()), path: { userCode }, device_code }
  }

  /** A code that its player has approved. */
  async function approved() {
    const { session, path, device_code } = await codeOf()
    await decide({ session, path, body: { approve: true } })
    return { session, device_code }
  }

  const requests: Record<(typeof signInOperationIds)[number], () => Promise<Sent> | Sent> = {
    createSignInMessage: () => messageFor(newAccount()),
    signIn: async () => ({ body: await signed(newAccount()) }),
    getSignedInUser: async () => ({ session: (await enter()).session }),
    async addWallet() {
      const player = await enter()
      return { session: player.session, body: (await addition(player)).body }
    },
    async removeWallet() {
      const player = await enter()
      const { account, session } = player
      const { added, body } = await addition(player)
      await add({ session, body })
      const proof = await signed(account, { remove: added.address }, session)
      return { session, path: { address: added.address }, body: proof }
    },
    signOut: async () => ({ session: (await enter()).session }),
    getGames: async () => ({ session: (await approved()).session }),
    endAccess: async () => ({ session: (await approved()).session, path: { productId } }),
    authorizeDevice: () => authorization,
    getDeviceRequest: codeOf,
    decideDeviceRequest: async () => ({ ...(await codeOf()), body: { approve: true } }),
    async createToken() {
      const { device_code } = await approved()
      return { form: { grant_type: device_grant, client_id: productId, device_code } }
    },
    getAuthorizationServer: () => ({}),
  }
  return Object.fromEntries(
    signInOperationIds.map((id) => [
      functionName(id),
      { event: async () => eventOf(await requests[id]()) },
    ]),
  )
}
