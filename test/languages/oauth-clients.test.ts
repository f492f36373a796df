import { cp } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { pageCalls } from '../../simulation/page-calls.ts'
import { newFolder } from '../support/command-fixture.ts'
import { startFaultProxy } from '../support/proxies/fault-proxy.ts'
import { sharedService } from '../support/services/service.ts'
import { newAccount } from '../support/sign-in/account.ts'
import { hasCommand, succeed } from './command.ts'

const service = sharedService()
const { call } = service
const { enter } = pageCalls(service)

const lacksGo = !hasCommand('go')
if (lacksGo) console.warn('golang.org/x/oauth2 is not tried without go.')

/** The polls, each at least five seconds after the one before, until the user approves: two minutes. x/oauth2 makes each twice, for both ways to name the client. */
const pollsBefore = 24

test.skipIf(lacksGo)(
  'D141, D142: golang.org/x/oauth2 signs a player in two minutes after its code, refreshes twice, and reads the player each time',
  { timeout: 1_200_000 },
  async () => {
    const folder = newFolder()
    await cp(join(import.meta.dirname, 'oauth'), folder, { recursive: true })
    await succeed(['go', 'build', '-o', 'sign-in.bin', '.'], folder)
    const apiKey = await service.newProduct()
    const { productId } = (await call('PATCH /product', { apiKey, body: { signIn: true } })).json
      .data
    const { session, user } = await enter(newAccount())

    let userCode = ''
    const answers: string[] = []
    const proxy = await startFaultProxy({
      target: service.url,
      onResponse: async ({ action }, { status, body }) => {
        const answer = JSON.parse(String(body))
        if (action.endsWith('/device/authorization')) userCode = answer.user_code
        if (!action.endsWith('/token')) return undefined
        answers.push(answer.error ?? status)
        if (answers.length !== 2 * pollsBefore) return undefined
        const approval = { path: { userCode }, body: { approve: true }, session }
        expect((await call('POST /device/{userCode}', approval)).status).toBe(200)
      },
    })
    const printed = await succeed(['./sign-in.bin'], folder, {
      BASE_URL: proxy.url,
      PRODUCT_ID: productId,
    })
    expect(JSON.parse(printed)).toEqual([user.userId, user.userId, user.userId])
    expect(answers.slice(2 * pollsBefore)).toEqual([200, 200, 200])
    // Polls at once get one answer. A late one makes the next come too early, once: then the client waits 10 seconds each time.
    const polls = answers.slice(0, 2 * pollsBefore)
    const rounds = polls.filter((_, index) => index % 2 === 0)
    expect(polls).toEqual(rounds.flatMap((answer) => [answer, answer]))
    const expected = ['authorization_pending', 'slow_down']
    expect(rounds.filter((answer) => !expected.includes(answer))).toEqual([])
    expect(rounds.filter((answer) => answer === 'slow_down').length).toBeLessThanOrEqual(1)
  },
)
