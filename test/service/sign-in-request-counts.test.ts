import { numbers } from '@player-nfts/local/samples'
import { describe, expect, test } from 'vitest'
import { operations, routes } from '../../functions/operations.ts'
import { grantTypes } from '../../lib/contract/oauth.ts'
import { requestsOf } from '../../lib/contract/requests.ts'
import { clientOf } from '../support/requests/client.ts'
import { acceptedBy } from '../support/requests/invoke-function.ts'
import { startGatewayOver, withStillClock } from '../support/services/containers.ts'
import { startCountedService } from '../support/services/counted-service.ts'
import { newAccount } from '../support/sign-in/account.ts'
import { signInCalls } from '../support/sign-in/sign-in-calls.ts'

const service = await startCountedService()
const { stack, countsOf, functionsWith } = service

test('Budget: units of a sign-in with a wallet that the service knows, and of the eleventh one to a game', async () => {
  const host = service.newContainers()
  const { newGame, sign } = signInCalls(service)
  const { productId } = await newGame()
  const account = newAccount()
  const signIn = async () => {
    const body = { ...(await sign(account, { productId })), productId }
    return (await service.useOf(() => acceptedBy(host, 'signIn', { body }))).units
  }
  const { units } = requestsOf(routes.signIn, operations.signIn.requests)
  const known = { read: units.read - 2, write: units.write - 5 }
  expect(await signIn()).toEqual(units)
  for (const _ of numbers(2, 10)) expect(await signIn()).toEqual(known)
  expect(await signIn()).toEqual({ ...known, write: known.write + 1 })
})

describe('Budget: polls of a device', () => {
  const [, deviceGrantType] = grantTypes
  const start = Date.now()

  type Calls = Awaited<ReturnType<typeof callsAt>>

  /** The calls of sign-in, with a clock that stands still at a number of milliseconds after the start. */
  async function callsAt(later: number) {
    const limits = { PLAYER_TOKENS_PER_USER_AND_HOUR: '10' }
    const functions = withStillClock(functionsWith(limits), start + later)
    const call = clientOf(await startGatewayOver(functions))
    return { call, ...signInCalls({ call, stack }) }
  }

  /** A game that asks for access. */
  async function asking({ call }: Calls, productId: string) {
    const { json } = await call('POST /device/authorization', { form: { client_id: productId } })
    const deviceCode: string = json.device_code
    return {
      deviceCode,
      async decide(approve: boolean) {
        const { session } = await signInCalls(service).enter(newAccount())
        const path = { userCode: json.user_code }
        await service.call('POST /device/{userCode}', { path, body: { approve }, session })
      },
      /** The error of a poll, and its requests. */
      async poll({ askForToken }: Calls, code = deviceCode) {
        const fields = { grant_type: deviceGrantType, client_id: productId, device_code: code }
        let error: string | undefined
        const counts = await countsOf(async () => {
          error = (await askForToken(fields)).json.error
        })
        return [error, counts]
      },
    }
  }

  test('D129: an invented secret of a game costs no request, and a poll that is too early one read', async () => {
    const { productId } = await signInCalls(service).newGame()
    const [first, soon, early, next] = await Promise.all([
      callsAt(0),
      callsAt(999),
      callsAt(3_999),
      callsAt(4_000),
    ])
    const { deviceCode, decide, poll } = await asking(first, productId)
    const noted = { GetItem: 2, UpdateItem: 1 }
    expect(await poll(first)).toEqual(['authorization_pending', noted])
    expect(await poll(soon)).toEqual(['authorization_pending', { GetItem: 1 }])
    expect(await poll(early)).toEqual(['slow_down', { GetItem: 1 }])
    expect(await poll(next)).toEqual(['authorization_pending', noted])
    const untagged = deviceCode.slice(0, deviceCode.lastIndexOf('.'))
    const last = deviceCode.endsWith('A') ? 'B' : 'A'
    for (const invented of ['x', untagged, deviceCode.slice(0, -1) + last])
      expect(await poll(next, invented), invented).toEqual(['invalid_grant', {}])
    const refused = async () =>
      expect((await next.refresh(productId, '7.4qWgk2pXr7TnYbVc9LmZd1.0.x')).status).toBe(400)
    expect(await countsOf(refused)).toEqual({})
    await decide(false)
    expect(await poll(next)).toEqual(['access_denied', { GetItem: 1 }])
  })

  test('D141: a poll just after the one that got the token gets one without a write, and a later one counts', async () => {
    const { productId } = await signInCalls(service).newGame()
    const [first, soon, next] = await Promise.all([callsAt(0), callsAt(999), callsAt(4_000)])
    const { decide, poll } = await asking(first, productId)
    await decide(true)
    const minted = { GetItem: 5, Sign: 1, GetPublicKey: 1 }
    expect(await poll(first)).toEqual([undefined, { ...minted, UpdateItem: 3 }])
    expect(await poll(soon)).toEqual([undefined, minted])
    // A write notes it. That of the limit fails once, because a counter is stored, which is read.
    expect(await poll(next)).toEqual([undefined, { ...minted, GetItem: 6, UpdateItem: 3 }])
  })
})
