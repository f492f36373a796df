import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { delimiter, dirname, join } from 'node:path'
import { signalGroup } from '../../scripts/deploy-local/run-command.ts'
import type { Environment } from './deployment.ts'
import { onEmulator, operatorBlocks } from './operator-pages.ts'

/** What an operator writes in place of texts of a block, and types when a command asks, which can follow from what was printed. */
interface Inputs {
  texts?: Readonly<Record<string, string>>
  typed?(printed: string): string
}

/** A shell in which an operator works with a deployment. */
export type OperatorShell = Awaited<ReturnType<typeof operatorShell>>

const root = join(import.meta.dirname, '../..')

const firstDay = join(root, 'docs/first-day.md')

/** No command of the pages takes longer. */
const seconds = 300

/** The variables of docs/first-day.md, which it saves as `prod.sh`. */
export const variables = ['first-day', 'export AWS_REGION=eu-central-1\nSTACK'] as const

/** Opens a shell with the AWS CLI, the project's Node, and the emulator as AWS. `texts`: what is written on every page in place of a text. */
export async function operatorShell(
  { python, ministack }: Pick<Environment, 'python' | 'ministack'>,
  folder: string,
  texts: Readonly<Record<string, string>>,
) {
  if (spawnSync('jq', ['--version']).status !== 0)
    throw new Error('The commands of the pages need jq, which is not installed.')
  const programs = join(folder, 'bin')
  await mkdir(programs, { recursive: true })
  // For SQS, version 1 of the AWS CLI does not read the variable.
  const aws = `exec '${join(dirname(python), 'aws')}' --endpoint-url "$AWS_ENDPOINT_URL" "$@"`
  await writeFile(join(programs, 'aws'), `#!/bin/sh\n${aws}\n`, { mode: 0o755 })
  // What `npm run` needs, in place of a clone.
  for (const name of ['package.json', 'scripts'])
    await symlink(join(root, name), join(folder, name))
  const { environment } = ministack
  const env = {
    ...environment,
    PATH: [programs, dirname(process.execPath), environment['PATH']].join(delimiter),
    AWS_CONFIG_FILE: join(folder, 'config'),
    CURL_CA_BUNDLE: environment['AWS_CA_BUNDLE'],
    NODE_OPTIONS: `--import=${import.meta.resolve('./operator-node.ts')}`,
  }
  const write = (text: string, own: Inputs['texts'] = {}) =>
    Object.entries({ ...own, ...texts }).reduce(
      (all, [shown, by]) => all.replaceAll(shown, by),
      text,
    )
  await writeFile(join(folder, 'prod.sh'), write(blockOf(...variables).text))

  const left = new Set(operatorBlocks)
  let shell: ReturnType<typeof startShell> | undefined
  let first = ''
  const execute = async (commands: string, typed: string): Promise<string> => {
    await writeFile(join(folder, 'block.sh'), commands)
    await writeFile(join(folder, 'typed'), `${typed}\n`)
    shell ??= startShell(folder, env)
    const isAlive = await shell.run(`${first}. ./block.sh < typed > printed 2> said`)
    const printed = await readFile(join(folder, 'printed'), 'utf8')
    first = ''
    if (isAlive) return printed
    shell = undefined
    first = '. ./prod.sh || :; '
    throw new Error(`${commands}${printed}${await readFile(join(folder, 'said'), 'utf8')}`)
  }
  const settingsFile = join(folder, 'prod.json')
  return {
    /** Writes `prod.json`: the settings of docs/first-day.md, with others. */
    async writeSettings(others: object): Promise<void> {
      const [, shown = ''] = /```json\n([\s\S]*?)```/.exec(await readFile(firstDay, 'utf8')) ?? []
      await writeFile(settingsFile, JSON.stringify({ ...JSON.parse(write(shown)), ...others }))
    },
    /** The settings that `prod.json` has now. */
    settings: async (): Promise<object> => JSON.parse(await readFile(settingsFile, 'utf8')),
    /** Runs the block of a page in docs with this beginning. Returns its standard output; rejects with all output if a command fails. */
    async run(
      page: string,
      beginning: string,
      { texts: own, typed = () => '' }: Inputs = {},
    ): Promise<string> {
      const block = blockOf(page, beginning)
      left.delete(block)
      let printed = ''
      for (const part of write(onEmulator(block), own).split(/^(?=read )/m)) {
        printed += await execute(part, part.startsWith('read ') ? typed(printed) : '')
      }
      return printed
    },
    /** Runs commands that the operator has written, as a page says. */
    type: (commands: string) => execute(`${commands}\n`, ''),
    /** The first lines of the blocks that were not run, with their pages. */
    notRun: () => Array.from(left, ({ page, first }) => `${page}: ${first}`),
    end: () => shell?.end(),
  }
}

function blockOf(page: string, beginning: string) {
  const [block, another] = operatorBlocks.filter(
    (each) => each.page === `docs/${page}.md` && each.text.startsWith(beginning),
  )
  if (!block || another) throw new Error(`docs/${page}.md: no block, or several: ${beginning}`)
  return block
}

/** A shell that ends with the first command that fails, in a process group of its own. */
function startShell(cwd: string, env: NodeJS.ProcessEnv) {
  const stdio = ['pipe', 'pipe', 'ignore'] as ['pipe', 'pipe', 'ignore']
  const child = spawn('bash', ['-eo', 'pipefail'], { cwd, env, detached: true, stdio })
  const ended = once(child, 'exit').then(() => false)
  const end = () => signalGroup(child, 'SIGKILL')
  return {
    /** Runs a command. Returns false if the shell has ended, because a command has failed or took too long. */
    async run(command: string): Promise<boolean> {
      child.stdin.write(`${command}\necho\n`)
      const signal = AbortSignal.timeout(seconds * 1_000)
      const answered = once(child.stdout, 'data', { signal }).then(
        () => true,
        () => false,
      )
      const isAlive = await Promise.race([answered, ended])
      if (!isAlive) end()
      return isAlive
    },
    end,
  }
}
