import { cp } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { newFolder } from '../support/command-fixture.ts'
import { startFaultProxy } from '../support/proxies/fault-proxy.ts'
import { sharedService } from '../support/services/service.ts'
import { newAccount } from '../support/sign-in/account.ts'
import { pageCalls } from '../support/sign-in/page-calls.ts'
import { type Command, hasCommand, succeed } from './command.ts'

const service = sharedService()
const { call } = service
const { enter } = pageCalls(service)

/** A client of OAuth that is no work of this project. */
interface OauthClient {
  library: string
  folder: string
  needs: string
  build: readonly Command[]
  run: Command
  /** How often it polls each time until it has a token: x/oauth2 tries both ways to name the client. */
  pollsAtOnce: number
}

const clients: readonly OauthClient[] = [
  {
    library: 'golang.org/x/oauth2',
    folder: 'go',
    needs: 'go',
    build: [['go', 'build', '-o', 'sign-in.bin', '.']],
    run: ['./sign-in.bin'],
    pollsAtOnce: 2,
  },
  {
    library: 'requests-oauthlib',
    folder: 'python',
    needs: 'python3',
    build: [
      ['python3', '-m', 'venv', '.venv'],
      ['.venv/bin/pip', 'install', '--require-hashes', '-r', 'requirements.txt'],
    ],
    run: ['.venv/bin/python', 'sign_in.py'],
    pollsAtOnce: 1,
  },
]

const runnable = clients.filter(({ library, needs }) => {
  if (!hasCommand(needs)) console.warn(`${library} is not tried without ${needs}.`)
  return hasCommand(needs)
})

/** The polls, each at least five seconds after the one before, until the user approves: two minutes. */
const pollsBefore = 24

test.for(runnable)(
  'D141, D142: $library signs a player in two minutes after its code, refreshes twice, and reads the player each time',
  { timeout: 1_200_000 },
  async ({ folder: program, build, run, pollsAtOnce }) => {
    const folder = newFolder()
    await cp(join(import.meta.dirname, 'oauth', program), folder, { recursive: true })
    for (const command of build) await succeed(command, folder)
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
        if (answers.length !== pollsBefore * pollsAtOnce) return undefined
        const approval = { path: { userCode }, body: { approve: true }, session }
        expect((await call('POST /device/{userCode}', approval)).status).toBe(200)
      },
    })
    const printed = await succeed(run, folder, { BASE_URL: proxy.url, PRODUCT_ID: productId })
    expect(JSON.parse(printed)).toEqual([user.userId, user.userId, user.userId])
    expect(answers.slice(pollsBefore * pollsAtOnce)).toEqual([200, 200, 200])
    // Polls at once get one answer. A late one makes the next come too early, once: then the client waits 10 seconds each time.
    const polls = answers.slice(0, pollsBefore * pollsAtOnce)
    const rounds = polls.filter((_, index) => index % pollsAtOnce === 0)
    expect(polls).toEqual(rounds.flatMap((answer) => Array(pollsAtOnce).fill(answer)))
    const expected = ['authorization_pending', 'slow_down']
    expect(rounds.filter((answer) => !expected.includes(answer))).toEqual([])
    expect(rounds.filter((answer) => answer === 'slow_down').length).toBeLessThanOrEqual(1)
  },
)
