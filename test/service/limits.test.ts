import { describe, expect, onTestFinished, test } from 'vitest'
import { functionName } from '../../lib/contract/route.ts'
import { startLambdaHost } from '../../local/lambda/lambda-host.ts'
import { invokeFunction } from '../support/requests/invoke-function.ts'
import { expectProblem } from '../support/requests/problem.ts'
import { startCountedService } from '../support/services/counted-service.ts'
import { registration } from '../support/services/service.ts'

const service = await startCountedService()

const variables = {
  REGISTRATIONS_PER_HOUR: '6',
  REGISTRATIONS_PER_ADDRESS_AND_HOUR: '3',
  PLAYER_TOKENS_PER_USER_AND_HOUR: '4',
  PLAYER_DETAILS_PER_PLAYER_AND_MINUTE: '3',
}

/** Later than every credential of these tests is issued, and before it expires. */
const later = Date.now() + 600_000

/** Three containers of each function, which share the table. No hour begins, and nothing is paid back. */
const containers = Array.from({ length: 3 }, () => service.newContainers(variables, later))
const [container] = containers as [ReturnType<typeof service.newContainers>]
const inTurn = (index: number) => containers[index % 3] as typeof container

describe('D47: limits that need no product', () => {
  test('D47: a user gets the count of player tokens, and KMS signs no more than that', async () => {
    const [loop, other] = [await service.userJwt(), await service.userJwt()]
    const answers: Awaited<ReturnType<typeof invokeFunction>>[] = []
    const counts = await service.countsOf(async () => {
      const calls = Array.from({ length: 20 }, (_, index) =>
        invokeFunction(inTurn(index), 'createPlayerToken', { userJwt: loop }),
      )
      answers.push(...(await Promise.all(calls)))
    })
    const refused = answers.filter(({ status }) => status !== 200)
    expect(refused).toHaveLength(16)
    expect(counts['Sign']).toBe(4)
    for (const answer of refused) expectProblem(answer, 'rate_limited')
    expect(refused[0]?.json).toMatchObject({
      limit: { name: 'player_tokens', count: 4, perSeconds: 3_600 },
    })
    const retryAfter = Number(refused[0]?.headers.get('retry-after'))
    expect(retryAfter).toBeGreaterThan(0)
    expect(retryAfter).toBeLessThanOrEqual(900)
    const unaffected = await invokeFunction(container, 'createPlayerToken', { userJwt: other })
    expect(unaffected.status).toBe(200)
  })

  test('D47: the details of a player are refused before the indexer is asked; others are not', async () => {
    const [loop, other] = [await service.newPlayer(), await service.newPlayer()]
    const ask = (playerToken: string, sent = {}) =>
      invokeFunction(container, 'getPlayerDetails', { playerToken, ...sent })
    for (let request = 0; request < 3; request += 1) {
      expect((await ask(loop.playerToken)).status).toBe(200)
    }
    const refused = await ask(loop.playerToken)
    expectProblem(refused, 'rate_limited')
    expect(refused.json.limit).toEqual({ name: 'player_details', count: 3, perSeconds: 60 })
    // The operation takes no API key, so the header changes nothing.
    expectProblem(await ask(loop.playerToken, { apiKey: 'nonsense' }), 'rate_limited')
    expect((await ask(other.playerToken)).status).toBe(200)
  })

  test('D47: requests with a token that is not valid cost the player nothing, and no request to AWS', async () => {
    const { playerToken } = await service.newPlayer()
    const ask = (token: string) =>
      invokeFunction(container, 'getPlayerDetails', { playerToken: token })
    await ask(playerToken)
    const counts = await service.countsOf(async () => {
      for (let request = 0; request < 20; request += 1) {
        expectProblem(await ask(`${playerToken.slice(0, -4)}AAAA`), 'invalid_player_token')
      }
    })
    expect(counts).toEqual({})
    expect((await ask(playerToken)).status).toBe(200)
  })

  test('D47: the order of checks is 401, 429', async () => {
    const { playerToken } = await service.newPlayer()
    const ask = (sent: string) =>
      invokeFunction(container, 'getPlayerDetails', { playerToken: sent })
    for (let request = 0; request < 3; request += 1) await ask(playerToken)
    expectProblem(await ask('nonsense'), 'invalid_player_token')
    expectProblem(await ask(playerToken), 'rate_limited')
  })

  test('D47: registrations in all, and a refused one writes nothing', async () => {
    const register = (index: number, sourceIp: string) => {
      const event = {
        version: '2.0',
        rawQueryString: '',
        headers: {},
        requestContext: { requestId: 'generated', http: { sourceIp } },
        body: JSON.stringify(registration()),
        isBase64Encoded: false,
      }
      return inTurn(index)
        .invoke(functionName('registerProduct'), event)
        .then((result) => JSON.parse(result.ok ? result.payload : '{}'))
    }
    const statuses: number[] = []
    const counts = await service.countsOf(async () => {
      const greedy = Array.from({ length: 10 }, (_, index) => register(index, '2001:db8:1:2::7'))
      const network = Array.from({ length: 5 }, (_, index) =>
        register(index, `2001:db8:1:2::${index}`),
      )
      for (const { statusCode } of await Promise.all([...greedy, ...network])) {
        statuses.push(statusCode)
      }
      const others = Array.from({ length: 8 }, (_, index) => register(index, `192.0.2.${index}`))
      for (const { statusCode } of await Promise.all(others)) statuses.push(statusCode)
    })
    // Three from the network, and three of the others.
    expect(statuses.slice(0, 15).filter((status) => status === 200)).toHaveLength(3)
    expect(statuses.slice(15).filter((status) => status === 200)).toHaveLength(3)
    expect(statuses.filter((status) => status === 429)).toHaveLength(17)
    expect(counts['PutItem']).toBe(3 * 6)
  })

  test('Budget: a limit costs one write more, in a round that is there already', async () => {
    const { playerToken } = await service.newPlayer()
    const host = startLambdaHost({
      functions: service.functionsWith({ ...variables, REGISTRATIONS_PER_HOUR: '1000' }),
      log: () => undefined,
    })
    onTestFinished(() => host.close())
    const warm = async (id: Parameters<typeof invokeFunction>[1], sent: () => Promise<object>) => {
      const [first, second] = [await sent(), await sent()]
      await invokeFunction(host, id, first)
      return await service.countsOf(() => invokeFunction(host, id, second))
    }
    const signIn = async () => ({ userJwt: await service.userJwt() })
    expect(await warm('createPlayerToken', signIn)).toEqual({ UpdateItem: 1, Sign: 1 })
    const details = async () => ({ playerToken })
    expect(await warm('getPlayerDetails', details)).toEqual({ BatchGetItem: 1, UpdateItem: 1 })
    const register = async () => ({ body: registration() })
    expect(await warm('registerProduct', register)).toEqual({ UpdateItem: 1 + 1, PutItem: 2 + 1 })
  })
})
