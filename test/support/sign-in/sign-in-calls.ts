import { UpdateCommand } from '@aws-sdk/lib-dynamodb'
import { expect } from 'vitest'
import { type ProblemCode, problems } from '../../../lib/domain/problems.ts'
import { permitOf } from '../../../lib/domain/sign-in/product-sign-in.ts'
import { pageCalls } from '../../../simulation/page-calls.ts'
import { tableOf, type WithTable } from '../aws/table.ts'
import type { Received } from '../requests/client.ts'
import type { Service } from '../services/service.ts'

/** The host of the games of {@link signInCalls}. */
export const gameDomain = 'game.example'

/** The calls with which people sign in with wallets. */
export function signInCalls({ call, stack }: WithTable & Pick<Service, 'call'>) {
  const table = tableOf({ stack })

  const askForToken = (form: Record<string, string>) => call('POST /token', { form })

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

/** Expects one of the problems of sign-in. */
export function expectRefusal({ status, json, headers }: Received, code: ProblemCode): void {
  const { title, status: expected } = problems[code]
  expect({ status, code: json.code }).toEqual({ status: expected, code })
  expect(json).toMatchObject({ success: false, title, requestId: expect.any(String) })
  expect(headers.get('cache-control')).toBe('no-store')
  expect(headers.has('www-authenticate')).toBe(status === 401)
}
