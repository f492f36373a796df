import type { ProblemCode } from '../../../lib/domain/problems.ts'
import { permitOf } from '../../../lib/domain/sign-in/product-sign-in.ts'
import { pageCalls } from '../../../simulation/page-calls.ts'
import type { WithTable } from '../aws/stored-items.ts'
import { storedKeysIn } from '../aws/stored-keys.ts'
import type { Received } from '../requests/client.ts'
import { expectProblem } from '../requests/problem.ts'
import type { Service } from '../services/service.ts'

/** The host of the games of {@link signInCalls}. */
export const gameDomain = 'game.example'

/** The calls with which people sign in with wallets. */
export function signInCalls({ call, stack }: WithTable & Pick<Service, 'call'>) {
  const stored = storedKeysIn(stack.aws, stack.resources.tableName)

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
      const change = (fields: Record<string, unknown>) => stored.setProduct(apiKey, fields)
      await call('PATCH /product', { apiKey, body: { signIn: true, signInDomains } })
      await change({ signInPermit: permitOf({ ...body, signInDomains }) })
      return { productId: productId as string, apiKey: apiKey as string, change }
    },
  }
}

/** Expects one of the problems of sign-in, which can be an error of OAuth. */
export const expectRefusal = (answer: Received, code: ProblemCode) =>
  expectProblem(answer, code, answer.json?.error === undefined ? {} : { oauth: true })
