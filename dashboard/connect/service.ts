const base = '/api/public/v1'

/** The longest time for an answer, in milliseconds: API Gateway ends each request after 30 seconds. */
const timeoutMs = 35_000

/** What a wallet has signed. */
export interface Proof {
  message: string
  signature: string
}

/** The user who is signed in (D111). */
export interface User {
  userId: number
  username: string
  wallets: readonly { address: string; addedAt: string }[]
}

/** A game that asks for access (D108). */
export interface GameRequest {
  userCode: string
  product: { productId: string; name: string; companyName: string }
  state: 'pending' | 'approved' | 'denied' | 'expired'
  askedAt: string
  isSameNetwork: boolean
}

/** A game with access (D108). Its names are `null` once the product is deleted. */
export interface GameWithAccess {
  productId: string
  name: string | null
  companyName: string | null
  until: string
}

/** What a message is for, without anything to sign in (D97). */
export interface Purpose {
  link?: true
  move?: true
  /** The wallet that is to be added. */
  consent?: string
  remove?: string
}

/** An answer of the service that is not a success. */
export class ServiceProblem extends Error {
  readonly status: number
  /** The code of the problem; empty if the answer is not of the service. */
  readonly code: string

  constructor(status: number, code: string) {
    super(`${status} ${code}`)
    this.status = status
    this.code = code
  }
}

/** The service did not answer. */
export class NoAnswer extends Error {}

/**
 * The operations of the page (D111, D112), with a session or, to sign in, without one. Each rejects with one of the errors
 * above. `onSessionEnd` is called when the service no longer accepts the session.
 */
export function pageService(session?: string, onSessionEnd: () => void = () => undefined) {
  const call = async <Data>(method: string, path: string, body?: object): Promise<Data> => {
    const response = await fetch(base + path, {
      method,
      headers: {
        ...(body && { 'content-type': 'application/json' }),
        ...(session !== undefined && { authorization: `Bearer ${session}` }),
      },
      ...(body && { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(timeoutMs),
    }).catch((cause: unknown) => {
      throw new NoAnswer('no answer', { cause })
    })
    const answer = await response.json().catch(() => ({}))
    if (response.ok && answer.data) return answer.data
    const problem = new ServiceProblem(response.status, String(answer.code ?? ''))
    if (problem.code === 'invalid_session') onSessionEnd()
    throw problem
  }
  const wallets = '/login/user/wallets'
  const device = (code: string) => `/device/${encodeURIComponent(code)}`
  return {
    /** The message that a wallet signs. */
    message: async (address: string, purpose: Purpose = {}) => {
      const body = { address, chain: signInChain(), ...purpose }
      return (await call<{ message: string }>('POST', '/login/message', body)).message
    },
    /** Signs in, and gives the user another name if there is one. */
    signIn: (proof: Proof, username?: string) =>
      call<{ session: string; user: User }>('POST', '/login', {
        ...proof,
        ...(username !== undefined && { username }),
      }),
    /** Adds the wallet of a proof, to which a wallet of the user consents. */
    addWallet: (addition: Proof & { consent: Proof }) => call<User>('POST', wallets, addition),
    removeWallet: (address: string, proof: Proof) =>
      call<User>('DELETE', `${wallets}/${address}`, proof),
    signOut: () => call('POST', '/login/sign-out'),
    gameRequest: (code: string) => call<GameRequest>('GET', device(code)),
    decide: (code: string, approve: boolean) =>
      call<GameRequest>('POST', device(code), { approve }),
    games: () => call<GameWithAccess[]>('GET', '/login/user/games'),
    endAccess: (productId: string) => call('DELETE', `/login/user/games/${productId}`),
  }
}

export type PageService = ReturnType<typeof pageService>

/** The chain that messages name. Any that the deployment opens will do: a wallet is the same on all of them. */
const signInChain = (): string =>
  document.querySelector<HTMLMetaElement>('meta[name="sign-in-chain"]')?.content ?? ''
