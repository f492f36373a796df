import type { Account } from '@player-nfts/local/samples/sample-account'

/** What a wallet has signed. */
export interface SignedMessage {
  message: string
  signature: string
}

/** A request of an operation of sign-in with wallets. */
export interface SignInRequest {
  /** The session of a user on the page of the deployment. */
  session?: string
  /** The values of the parameters of the path. */
  path?: Record<string, string>
  /** Sent as JSON. */
  body?: unknown
  /** The fields of a form in the place of `body`. */
  form?: Readonly<Record<string, string>>
}

/** An answer with JSON. */
export interface JsonAnswer {
  // biome-ignore lint/suspicious/noExplicitAny: each operation has an answer of its own
  json: any
}

/** Sends a request to an operation, such as `POST /login`. */
export type PageCall<Answer> = (operation: string, sent: SignInRequest) => Promise<Answer>

/** The calls with which users sign in with wallets on the page. */
export function pageCalls<Answer extends JsonAnswer>({ call }: { call: PageCall<Answer> }) {
  const askFor = (account: Account, fields: object, session?: string) => {
    const body = { address: account.address, chain: 'POLYGON', ...fields }
    return call('POST /login/message', { body, ...(session !== undefined && { session }) })
  }

  /** A message of the service for a purpose, signed. */
  async function sign(account: Account, fields: object, session?: string): Promise<SignedMessage> {
    const { message } = (await askFor(account, fields, session)).json.data
    return { message, signature: account.sign(message) }
  }

  /** What adds a wallet to the user of a session, or moves it there, with the consent of a wallet that the user has. */
  const signToAdd = async (
    added: Account,
    by: Account,
    session: string,
    fields: object = { link: true },
  ) => ({
    ...(await sign(added, fields, session)),
    consent: await sign(by, { consent: added.address }, session),
  })

  const signIn = (body: object) => call('POST /login', { body })

  return {
    ...{ askFor, sign, signToAdd, signIn },
    /** Signs in on the page. Returns the session and the user. */
    enter: async (account: Account, more: object = {}) =>
      (await signIn({ ...(await sign(account, {})), ...more })).json.data,
  }
}
