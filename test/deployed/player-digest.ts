import assert from 'node:assert/strict'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { serviceAt } from '../support/services/service.ts'
import { devStackName } from './cdk.ts'
import { type Deployment, runScript } from './deployment.ts'
import type { Ministack } from './ministack.ts'
import { nodeEnvironment } from './place.ts'
import { runCommand } from './run-command.ts'

const script = join(import.meta.dirname, '../../scripts/player-digest.ts')

/** `npm run player-digest` prints the digest that the functions write for a player, with the key of the stack (D72). */
export async function expectPlayerFound(
  python: string,
  ministack: Ministack,
  { target, outputs }: Deployment,
): Promise<void> {
  const { userId, playerToken } = await serviceAt(target).newPlayer()
  assert.equal(playerToken.split('.').length, 3)
  const printed = await runCommand({
    name: 'npm run player-digest',
    file: process.execPath,
    args: [script, '--user-id', `${userId}`, '--secret', outputs.PlayerDigestSecretArn],
    env: nodeEnvironment(ministack),
    seconds: 60,
  })
  const [digest = ''] = printed.split('\n')
  const linesOf = async () =>
    (await runScript(python, ministack, 'player-lines.py', devStackName, digest)).trim()
  let lines = await linesOf()
  // A line can be in the log some seconds after the response.
  for (let attempt = 0; lines === '' && attempt < 10; attempt += 1) {
    await sleep(1_000)
    lines = await linesOf()
  }
  assert.equal(lines, 'createPlayerToken 200')
}
