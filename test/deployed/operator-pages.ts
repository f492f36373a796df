import { type CommandBlock, commandBlocks } from '../support/command-blocks.ts'

/** The pages whose commands the deployment test runs as an operator does (operator-shell.ts). */
export const operatorPages = [
  ...['alarms', 'changes', 'first-day', 'operations', 'pipeline', 'quotas', 'runbook'],
].map((name) => `docs/${name}.md`)

/** The commands of these pages that it leaves out, why, and the file with the test that stands for them. */
export const leftOut: readonly (readonly [commands: RegExp, reason: string])[] = [
  [
    /^npx cdk .*\n/gm,
    'MiniStack has only a part of the template: test/deployed/test-deployed.ts deploys it',
  ],
  [/^cp deployments[\s\S]*/, 'another commit, deployed: test/deployed/test-deployed.ts'],
  [/^ask .*\n/gm, 'MiniStack has no saved queries: test/infra/monitoring/saved-queries.test.ts'],
  [/^aws service-quotas .*\n/gm, 'MiniStack has no Service Quotas: test/deployed/cli-commands.ts'],
  [
    /^ *eval .*\n/gm,
    'the page leaves it out, for credentials in variables: test/deployed/cli-commands.ts',
  ],
  [
    /^aws sqs start-message-move-task .*\n/gm,
    'MiniStack moves no messages between queues: test/deployed/cli-commands.ts',
  ],
  [
    /^aws cloudformation continue-update-rollback .*\n/gm,
    'no roll-back of MiniStack fails: test/deployed/cli-commands.ts',
  ],
  [
    /^aws backup put-backup-vault-access-policy [^']*'[^']*'\n/gm,
    'MiniStack has no policies of vaults: test/deployed/cli-commands.ts',
  ],
  [/^VAULT=[\s\S]*/, 'MiniStack copies no backups: test/deployed/cli-commands.ts'],
  [/^POINT=.*\nRESTORED=[\s\S]*/, 'MiniStack restores no backups: test/deployed/cli-commands.ts'],
  [
    /^curl .* -i .*\n/gm,
    'no name leads to a distribution of MiniStack: test/deployed/dashboard.ts',
  ],
  [/^gh .*\n/gm, 'a repository at GitHub: test/repository/deploy-workflow.test.ts'],
]

/** The commands of a block that run on the emulator. */
export const onEmulator = ({ text }: CommandBlock): string =>
  leftOut.reduce((rest, [commands]) => rest.replace(commands, ''), text)

/** The blocks of these pages with commands that run on the emulator. */
export const operatorBlocks = operatorPages
  .flatMap(commandBlocks)
  .filter((block) => onEmulator(block) !== '')
