import { readFileSync } from 'node:fs'
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
  [
    /^aws cloudformation cancel-update-stack .*\n/gm,
    'no emulator has CodeDeploy, which it interrupts: test/deployed/cli-commands.ts',
  ],
  [
    /^npm run --silent roll-back -- --stack \$STACK\n/gm,
    'a block does so: test/deployed/roll-back.ts',
  ],
  [/^VAULT=[\s\S]*/, 'MiniStack copies no backups: test/deployed/cli-commands.ts'],
  [/^POINT=.*\nRESTORED=[\s\S]*/, 'MiniStack restores no backups: test/deployed/cli-commands.ts'],
  [
    /^curl .* -i (?!https:\/\/…\/api).*\n/gm,
    'names that nobody serves here: test/deployed/dashboard.ts',
  ],
  [/^gh .*\n/gm, 'a repository at GitHub: test/repository/deploy-workflow.test.ts'],
]

/** The commands of a block that run on the emulator. */
export const onEmulator = ({ text }: CommandBlock): string =>
  leftOut.reduce((rest, [commands]) => rest.replace(commands, ''), text)

/** The commands in the sentences of a page, each once. One without an argument is only named. */
function inlineCommands(page: string): CommandBlock[] {
  const found = readFileSync(page, 'utf8').matchAll(
    /`((?:aws|curl|npm run --silent) [^`]* -[^`]*|(?:ask|output) [^`]+)`/g,
  )
  const texts = new Set(Array.from(found, ([, text = '']) => text))
  return Array.from(texts, (first) => ({ page, language: 'inline', first, text: `${first}\n` }))
}

/** The commands of these pages: their blocks, in the order of each page, and those in its sentences. */
export const operatorCommands = operatorPages.flatMap((page) => [
  ...commandBlocks(page),
  ...inlineCommands(page),
])

/** Those of them that run on the emulator, at least in part. */
export const operatorBlocks = operatorCommands.filter((block) => onEmulator(block) !== '')
