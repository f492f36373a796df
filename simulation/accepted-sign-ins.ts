import { randomBytes } from 'node:crypto'
import { type Account, accountOf } from '@player-nfts/local/samples/sample-account'
import type { OperationIdWith } from '../functions/operations.ts'
import { documentedInput } from '../openapi/operations.ts'
import { type JsonAnswer, pageCalls, type SignInRequest } from './page-calls.ts'

/** The name of an operation of sign-in with wallets. */
type SignInOperationId = OperationIdWith<'walletSignIn'>

/** How the requests are made. */
interface Making {
  /** Sends a request to an operation, such as `POST /login`. */
  call(operation: string, sent: SignInRequest): Promise<JsonAnswer>
  /** The id of a new product that signs players in at `domain`. */
  newGame(domain: string): Promise<string>
}

/** The fields of the first example of a body. */
const exampleOf = (id: SignInOperationId) => documentedInput(id).body as Record<string, string>

const { domain = '' } = exampleOf('createSignInMessage')

/**
 * Accepted requests of sign-in: the first example of the body, with a new wallet, player and game where it has them.
 */
export function acceptedSignIns({
  call,
  newGame,
}: Making): Readonly<Record<SignInOperationId, () => Promise<SignInRequest>>> {
  const { sign, signToAdd, signIn, enter } = pageCalls({ call })
  const newAccount = () => accountOf(randomBytes(32))

  async function player() {
    const account = newAccount()
    const { session } = await enter(account)
    return { account, session: `${session}` }
  }

  async function session() {
    const { session } = await player()
    return { session }
  }

  /** What adds a further wallet to a new player. */
  async function addition() {
    const { account, session } = await player()
    const added = newAccount()
    return { account, added, session, body: await signToAdd(added, account, session) }
  }

  /** What signs a new wallet in to a new game. */
  async function proof(account: Account = newAccount()) {
    const productId = await newGame(domain)
    return { ...(await sign(account, { productId })), productId }
  }

  /** A player who has signed in to a new game, and on the page. */
  async function playerOfGame() {
    const account = newAccount()
    const { productId, ...signed } = await proof(account)
    const { refreshToken } = (await signIn({ ...signed, productId })).json.data
    const { session } = await enter(account)
    return { productId, refreshToken: `${refreshToken}`, session: `${session}` }
  }

  const authorization = async () => ({ form: { client_id: await newGame(domain) } })

  /** A code that a new game shows, and a new player who enters it. */
  async function code() {
    const { json } = await call('POST /device/authorization', await authorization())
    return { path: { userCode: `${json.user_code}` }, ...(await session()) }
  }

  return {
    createSignInMessage: async () => {
      const { address } = newAccount()
      const productId = await newGame(domain)
      return { body: { ...exampleOf('createSignInMessage'), address, productId } }
    },
    signIn: async () => ({ body: { ...exampleOf('signIn'), ...(await proof()) } }),
    getSignedInUser: session,
    async addWallet() {
      const { session, body } = await addition()
      return { session, body: { ...exampleOf('addWallet'), ...body } }
    },
    async removeWallet() {
      const { account, added, session, body } = await addition()
      await call('POST /login/user/wallets', { session, body })
      const { address } = added
      const removal = await sign(account, { remove: address }, session)
      return { session, path: { address }, body: { ...exampleOf('removeWallet'), ...removal } }
    },
    signOut: session,
    async getGames() {
      const { session } = await playerOfGame()
      return { session }
    },
    async endAccess() {
      const { productId, session } = await playerOfGame()
      return { session, path: { productId } }
    },
    authorizeDevice: authorization,
    getDeviceRequest: code,
    decideDeviceRequest: async () => ({
      ...(await code()),
      body: exampleOf('decideDeviceRequest'),
    }),
    async createToken() {
      const { productId, refreshToken } = await playerOfGame()
      const own = { client_id: productId, refresh_token: refreshToken }
      return { form: { ...exampleOf('createToken'), ...own } }
    },
    getAuthorizationServer: async () => ({}),
  }
}
