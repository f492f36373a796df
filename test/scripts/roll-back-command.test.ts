import { json } from 'node:stream/consumers'
import { describe, expect, test } from 'vitest'
import { run } from '../support/command-fixture.ts'
import { serve } from '../support/services/http-server.ts'

const stack = 'PlayerNfts-prod'

type Answers = Readonly<Record<string, object>>

/** Two deployments of the function `game`, as Lambda answers them; the version 2 is live, and has these variables. */
const lambdaWith = (liveVariables: Record<string, string>) => {
  const version = (number: number, deployment: string, Variables: Record<string, string>) => ({
    FunctionName: 'game',
    Version: `${number}`,
    Description: `${stack}, deployment ${deployment}`,
    LastModified: `2026-11-1${number}T10:00:00.000+0000`,
    Environment: { Variables },
    ...{ MemorySize: 512 * number, Timeout: 29 },
    LoggingConfig: { LogGroup: `/logs/${number}` },
  })
  const latest = version(2, 'bbbbbbbbbbbb', liveVariables)
  const earlier = version(1, 'aaaaaaaaaaaa', { TABLE_NAME: 'own' })
  return {
    'GET /2015-03-31/functions': { Functions: [{ ...latest, Version: '$LATEST' }] },
    'GET /2015-03-31/functions/game/versions': { Versions: [earlier, latest] },
    'GET /2015-03-31/functions/game/aliases/live': { Name: 'live', FunctionVersion: '2' },
    'PUT /2015-03-31/functions/game/aliases/live': { Name: 'live', FunctionVersion: '1' },
  } as Answers
}

/** Runs the command against a Lambda with these answers, and returns its result and the changes that it made. */
async function rollBack(answers: Answers, ...args: string[]) {
  const changes: unknown[] = []
  const AWS_ENDPOINT_URL = await serve((request, response) => {
    const { method, url = '' } = request
    const answer = answers[`${method} ${new URL(url, 'http://lambda').pathname.replace(/\/$/, '')}`]
    response.writeHead(answer ? 200 : 404, { 'content-type': 'application/json' })
    const change =
      method === 'GET' ? Promise.resolve() : json(request).then((each) => changes.push(each))
    change.finally(() => response.end(JSON.stringify(answer ?? {})))
  })
  const variables = { AWS_ENDPOINT_URL, AWS_REGION: 'eu-central-1' }
  const ended = await run('scripts/roll-back.ts', ['--stack', stack, ...args], variables).ended
  return { ...ended, changes }
}

describe('D69: npm run roll-back', () => {
  const allowed = lambdaWith({ TABLE_NAME: 'own' })
  const refused = lambdaWith({ TABLE_NAME: 'restored' })

  const cause = 'may not use any more (TABLE_NAME)'
  const silent = 'of the deployment aaaaaaaaaaaa any more, and alarms may be wrong: game\n'

  test.each<[string, Answers, string[], moved: number, says: string[]]>([
    [
      'moves the aliases',
      allowed,
      [],
      1,
      ['All functions run the deployment aaaaaaaaaaaa: 1 moved'],
    ],
    [
      'changes nothing, and says what it would change',
      allowed,
      ['--dry-run'],
      0,
      ['  game  version 2 -> 1, memory 1024 -> 512 MB\n', silent],
    ],
    ['succeeds in spite of a doubt', refused, ['--dry-run', '--force'], 0, [cause]],
  ])('%s: %j', async (_, answers, args, moved, says) => {
    const { code, changes, stdout } = await rollBack(answers, ...args)
    const change = expect.objectContaining({ FunctionVersion: '1' })
    expect([code, changes]).toEqual([0, Array(moved).fill(change)])
    for (const text of says) expect(stdout).toContain(text)
  })

  test.each([[[]], [['--dry-run']]])('%j fails if the roll-back is refused', async (args) => {
    const { code, changes, stdout, stderr } = await rollBack(refused, ...args)
    expect([code, changes]).toEqual([1, []])
    expect(stdout).toContain(cause)
    expect(stderr).toBe('Nothing was changed. --force rolls back in spite of this.\n')
  })
})
