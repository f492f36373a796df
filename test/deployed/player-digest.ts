import assert from 'node:assert/strict'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Ministack } from '../../scripts/deploy-local/ministack.ts'
import { nodeEnvironment } from '../../scripts/deploy-local/place.ts'
import { runCommand } from '../../scripts/deploy-local/run-command.ts'
import { serviceAt } from '../support/services/service.ts'
import type { Deployment } from './deployment.ts'
import { stackLogs } from './stack-logs.ts'

const script = join(import.meta.dirname, '../../scripts/player-digest.ts')

/** `npm run player-digest` prints the digest that the functions write for a player, with the key of the stack (D72). */
export async function expectPlayerFound(
  ministack: Ministack,
  { target, outputs, stackName }: Deployment,
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
  const lines: string[] = []
  // A line can be in the log some seconds after the response.
  for (let attempt = 0; lines.length === 0 && attempt < 10; attempt += 1) {
    await sleep(1_000)
    for await (const { player, operation, status } of stackLogs(ministack, stackName)) {
      if (player === digest) lines.push(`${operation} ${status}`)
    }
  }
  assert.deepEqual(lines, ['createPlayerToken 200'])
}
