import assert from 'node:assert/strict'
import {
  CloudFormationClient,
  UpdateTerminationProtectionCommand,
} from '@aws-sdk/client-cloudformation'
import type { Cdk, Outputs, Version } from './cdk.ts'
import { type Environment, runScript } from './deployment.ts'
import type { Ministack } from './ministack.ts'
import type { Tally } from './tally.ts'

/** A deployed stack that keeps its data when it is removed. */
export interface Keeping {
  readonly stackName: string
  readonly version: Version
  readonly outputs: Outputs
  /** Synthesizes the stack with settings that name what it has kept. */
  synthAgain(kept: object): Promise<Version>
}

/** Switches the termination protection of a stack off. */
export async function unprotect({ aws }: Ministack, stackName: string): Promise<void> {
  const unprotected = { StackName: stackName, EnableTerminationProtection: false }
  await new CloudFormationClient(aws).send(new UpdateTerminationProtectionCommand(unprotected))
}

/** Removes the stack, and makes it again with the table and the keys that it has kept, as docs/changes.md#removal shows it. */
export async function makeAgain(
  { python, ministack }: Environment,
  cdk: Cdk,
  { stackName, version, outputs, synthAgain }: Keeping,
  tally: Tally,
): Promise<void> {
  const prefix = `/aws/vendedlogs/${stackName}-`
  const accessLogs = async () =>
    (await runScript(python, ministack, 'log-groups.py', prefix)).trim().split('\n')
  await unprotect(ministack, stackName)
  await cdk.destroy(version)
  const kept = await accessLogs()
  await tally.check('D84: a removed stack has kept its access log', () => {
    assert.equal(kept.length, 1)
    assert.match(kept[0] ?? '', /-[0-9a-f]{8}\/http-api$/)
  })
  const again = await synthAgain({
    restoredTable: outputs.TableName,
    playerTokenKeys: [outputs.PlayerTokenKeyArn],
    userJwtKeys: [outputs.UserJwtKeyArn],
  })
  await cdk.deploy(again)
  await tally.check('D84: a stack that was made again has an access log of its own', async () => {
    assert.equal((await accessLogs()).filter((name) => !kept.includes(name)).length, 1)
  })
}
