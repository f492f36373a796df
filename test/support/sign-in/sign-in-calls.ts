import { UpdateCommand } from '@aws-sdk/lib-dynamodb'
import { expect } from 'vitest'
import { type SignInProblemCode, signInProblems } from '../../../lib/contract/sign-in-problems.ts'
import { permitOf } from '../../../lib/domain/sign-in/sign-in-permit.ts'
import type { Account } from '../../../local/samples/sample-account.ts'
import { tableOf, type WithTable } from '../aws/table.ts'
import type { Received } from '../requests/client.ts'
import type { Service } from '../services/service.ts'

/** The host of the games of {@link signInCalls}. */
export const gameDomain = 'game.example'

/** What a wallet has signed. */
export interface SignedMessage {
  message: string
  signature: string
}

/** The calls with which users sign in with wallets on the page. */
export function pageCalls({ call }: Pick<Service, 'call'>) {
  const askFor = (account: Account, asked: object, session?: string) => {
    const body = { address: account.address, chain: 'POLYGON', ...asked }
    return call('POST /login/message', { body, ...as(session) })
  }

  /** A message of the service for a purpose, signed. */
  async function sign(account: Account, asked: object, session?: string): Promise<SignedMessage> {
    const { message } = (await askFor(account, asked, session)).json.data
    return { message, signature: account.sign(message) }
  }

  /** What adds a wallet to the user of a session, or moves it there, with the consent of a wallet that the user has. */
  const signToAdd = async (
    added: Account,
    by: Account,
    session: string,
    asked: object = { link: true },
  ) => ({
    ...(await sign(added, asked, session)),
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

/** The calls with which people sign in with wallets. */
export function signInCalls({ call, stack }: WithTable & Pick<Service, 'call'>) {
  const table = tableOf({ stack })

  const askForToken = (fields: Record<string, string>) =>
    call('POST /token', {
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams(fields).toString(),
    })

  return {
    ...pageCalls({ call }),
    askForToken,
    refresh: (productId: string, refreshToken: string) =>
      askForToken({
        ...{ grant_type: 'refresh_token', client_id: productId, refresh_token: refreshToken },
      }),
    /** A product that signs players in at these hosts, as the operator permits. `change`: changes what only an operator or a deletion does. */
    async newGame(signInDomains: string[] = [gameDomain]) {
      const body = { name: 'Ember', contactEmail: 'a@b', companyName: 'Kiln' }
      const { productId, apiKey } = (await call('POST /product', { body })).json.data
      const change = async (fields: Record<string, unknown>) => {
        for (const [name, value] of Object.entries(fields)) {
          await table.client.send(
            new UpdateCommand({
              TableName: table.name,
              Key: { pk: `PRODUCT#${productId}`, sk: 'PROFILE' },
              UpdateExpression: 'SET #name = :value',
              ExpressionAttributeNames: { '#name': name },
              ExpressionAttributeValues: { ':value': value },
            }),
          )
        }
      }
      await call('PATCH /product', { apiKey, body: { signIn: true, signInDomains } })
      await change({ signInPermit: permitOf({ ...body, signInDomains }) })
      return { productId: productId as string, apiKey: apiKey as string, change }
    },
  }
}

/** The header of a session. */
export const as = (session: string | undefined) =>
  session === undefined ? {} : { headers: { authorization: `Bearer ${session}` } }

/** Expects one of the problems of sign-in. */
export function expectRefusal({ status, json, headers }: Received, code: SignInProblemCode): void {
  const { title, status: expected } = signInProblems[code]
  expect({ status, code: json.code }).toEqual({ status: expected, code })
  expect(json).toMatchObject({ success: false, title, requestId: expect.any(String) })
  expect(headers.get('cache-control')).toBe('no-store')
  expect(headers.has('www-authenticate')).toBe(status === 401)
}
