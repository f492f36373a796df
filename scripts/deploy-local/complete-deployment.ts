import { basename, join } from 'node:path'
import { SecretsManager } from '@aws-sdk/client-secrets-manager'
import type { Outputs, Version } from './cdk.ts'
import type { Ministack } from './ministack.ts'
import type { Place } from './place.ts'
import { runCommand } from './run-command.ts'

/** Sets what MiniStack's CloudFormation ignores. */
export const completeDeployment = (
  python: string,
  ministack: Ministack,
  { templateFile }: Version,
  stackName: string,
) => {
  const script = join(import.meta.dirname, 'complete-deployment.py')
  return runScript(python, ministack, script, templateFile, stackName)
}

/** Runs a Python script with the AWS of the emulator, and returns its output. */
export const runScript = (python: string, ministack: Ministack, ...args: [string, ...string[]]) =>
  runCommand({
    name: basename(args[0]),
    file: python,
    args,
    env: ministack.environment,
    seconds: 60,
  })

/** Stores the indexer's key in its secret, as an operator does after the first deployment. */
export async function setIndexerKey(
  { aws }: Pick<Place, 'aws'>,
  { outputs }: { readonly outputs: Outputs },
): Promise<void> {
  const put = { SecretId: outputs.IndexerSecretArn, SecretString: 'any-key-will-do' }
  await new SecretsManager(aws).putSecretValue(put)
}
