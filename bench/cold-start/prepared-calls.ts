import { operationIds, routes } from '../../functions/operations.ts'
import { functionName, type Route } from '../../lib/contract/route.ts'
import { documentedInput } from '../../openapi/operations.ts'
import { acceptedSignIns } from '../../simulation/accepted-sign-ins.ts'
import type { SignInRequest } from '../../simulation/page-calls.ts'
import { startFunctionProcess } from '../function-process.ts'
import { eventOf, type Sent } from '../scenario/events.ts'
import { seedProduct } from '../scenario/products.ts'
import type { Surroundings } from '../stubs/surroundings.ts'
import { type Subjects, subjectOf } from '../subjects/bundles.ts'
import type { FirstCalls } from './samples.ts'

/** The first calls of the operations with which players sign in with their wallets (D110), each of a new player and a new game. */
export async function signInCalls(
  subjects: Subjects,
  surroundings: Surroundings,
  ending: AsyncDisposableStack,
): Promise<FirstCalls> {
  const start = (name: string) => startFunction(name, subjects, surroundings, ending)
  const calls: Readonly<Record<string, Awaited<ReturnType<typeof start>>>> = {
    'POST /login/message': await start('create-sign-in-message'),
    'POST /login': await start('sign-in'),
    'POST /login/user/wallets': await start('add-wallet'),
    'POST /device/authorization': await start('authorize-device'),
  }
  const requests = acceptedSignIns({
    async call(operation: string, sent: SignInRequest) {
      const { [operation]: run } = calls
      if (!run) throw new Error(`${operation} does not run`)
      return { json: await run(sent) }
    },
    newGame: async (domain) => seedProduct(surroundings.table, 10, [domain]).productId,
  })
  return Object.fromEntries(
    Object.entries(requests).map(([id, request]) => [
      functionName(id),
      { event: async () => eventOf(await request()) },
    ]),
  )
}

/** The first calls of the operations of webhooks (D121), each for the webhook of a new product. */
export async function webhookCalls(
  subjects: Subjects,
  surroundings: Surroundings,
  ending: AsyncDisposableStack,
): Promise<FirstCalls> {
  const { table, webhookVariables } = surroundings
  const variables = { ...surroundings.variables, ...webhookVariables }
  const create = await startFunction('create-webhook', subjects, surroundings, ending)
  const ids = operationIds.filter((id) => (routes[id] as Route).needs === 'webhooks')
  const creation = documentedInput('createWebhook').body
  /** A test waits for the function that delivers, which no benchmark runs: the webhook is gone. */
  const unanswered = {
    answers: 404,
    event: () => {
      const { apiKey } = seedProduct(table, 10)
      return eventOf({ apiKey, path: { webhookId: 'wh_gone' } })
    },
  }
  return Object.fromEntries(
    ids.map((id) => {
      const { body } = documentedInput(id)
      const event = async () => {
        const { apiKey } = seedProduct(table, 10)
        if (id === 'createWebhook') return eventOf({ apiKey, body })
        const { webhookId } = (await create({ apiKey, body: creation })).data
        return eventOf({ apiKey, path: { webhookId }, body })
      }
      return [functionName(id), { variables, ...(id === 'testWebhook' ? unanswered : { event }) }]
    }),
  )
}

/** Starts a function of ours, which ends with `ending`. The returned call resolves with its answer, and throws if that is not 200. */
async function startFunction(
  name: string,
  subjects: Subjects,
  { variables }: Surroundings,
  ending: AsyncDisposableStack,
) {
  const subject = subjectOf(subjects, 'ours', name)
  const running = ending.use(await startFunctionProcess(subject, variables))
  return async (sent: Sent) => JSON.parse((await running.run([eventOf(sent)])).body)
}
