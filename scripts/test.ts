// `npm test`: runs the linter, the type check and most tests. A failure of one does not stop the others. The last line of
// standard output counts them, with the linter and each type check as one test: `N passed, N failed`, followed by
// `, N skipped` if tests were skipped. The exit code is 0 only if at least one test passed and none failed.
//
// With arguments, which are those of Vitest, it runs only tests, and those of all projects:
// `npm test -- test/api`, `npm test -- -t 'D19'`. With `--watch` it runs tests again after changes, until `q` or Ctrl-C
// ends it. `npm run test:affected` runs the linter, the type check and the tests that changes can reach.

import { execFile } from 'node:child_process'
import { relative } from 'node:path'
import { parseArgs } from 'node:util'
import { helpIfAsked } from '@player-nfts/local/help'
import { parseCLI, startVitest } from 'vitest/node'
import { changedSince, projectFiles, testsReachedBy } from './affected-tests.ts'
import { type Count, countTests, heading, summary } from './count.ts'
import { projects as typeProjects } from './type-projects.ts'

/** A tool that checks the whole tree and counts as one test. */
interface Check {
  title: string
  command: [script: string, ...args: string[]]
}

const LINT: Check = {
  title: 'Lint',
  command: ['node_modules/@biomejs/biome/bin/biome', 'check', '--error-on-warnings'],
}
const TYPES: Check[] = typeProjects.map((project) => ({
  title: project === '.' ? 'Types' : `Types of ${project}`,
  command: ['node_modules/typescript/bin/tsc', '--project', project],
}))

/** The projects of vitest.config.ts that run without arguments. `.ci/run` runs the others too. */
const projects = ['service', 'pure', 'isolated']

helpIfAsked([
  'Usage: npm test [-- [--watch] FILE… | -t TITLE | an option of Vitest]',
  '       npm run test:affected [-- --base COMMIT]',
  '       npm run test:browser, npm run test:million: the same as npm test for these tests',
  '',
  'Runs the linter, the type check and most tests; with arguments, only the tests that they select.',
  'With --watch, runs no linter and no type check, and runs tests again after a change that reaches them.',
  'test:affected runs, of what npm test runs, the checks and the tests that changes since COMMIT, or the last one, reach.',
  'The last line counts the results. CHROME_PATH sets the browser of test:browser.',
])

const args = process.argv.slice(2)
const ofProjects = projects.map((name) => `--project=${name}`)
if (args.includes('--watch') || args.includes('-w')) {
  await watchTests(args.length === 1 ? [...args, ...ofProjects] : args)
} else {
  const affected = args[0] === '--affected' ? affectedTests(args.slice(1)) : undefined
  const isWhole = args.length === 0 || affected !== undefined
  const succeeded = isWhole ? await runChecks([LINT, ...TYPES]) : []
  const count = await runTests(isWhole ? [...ofProjects, ...(affected ?? [])] : args)
  for (const each of succeeded) count[each ? 'passed' : 'failed'] += 1
  console.log(summary(count))
  // Without this call, a handle that a test leaves open would keep the process running.
  process.exit(count.failed > 0 || count.passed === 0 ? 1 : 0)
}

/** Prints what has changed and which tests it reaches. Returns the filters that select them: none selects all. */
function affectedTests(args: string[]): string[] {
  const { base, changed } = changesOf(args)
  if (changed.length === 0) {
    console.log(`Nothing has changed since ${base}.\n0 passed, 0 failed`)
    process.exit()
  }
  const { tests, functions, all } = testsReachedBy(changed, projectFiles())
  const more = changed.length > 3 ? `, and ${changed.length - 3} more` : ''
  console.log(`Changed since ${base}: ${changed.slice(0, 3).join(', ')}${more}.`)
  if (tests.length === all) {
    console.log(`This reaches all ${all} test files, so those of npm test run.`)
    return []
  }
  const through = functions.length > 3 ? `${functions.length} functions` : functions.join(', ')
  console.log(
    `This reaches ${tests.length} of ${all} test files${through && ` (through ${through})`}: ` +
      'those of npm test run.',
  )
  return tests
}

/** Reads the option --base and what has changed since then. Ends the process with a message if there is no such commit. */
function changesOf(args: string[]): { base: string; changed: string[] } {
  try {
    const options = { base: { type: 'string', default: 'HEAD' } } as const
    const { base } = parseArgs({ args, options }).values
    return { base, changed: changedSince(base) }
  } catch (error) {
    console.error((error as Error).message)
    process.exit(1)
  }
}

/** Runs tests again after each change that reaches them, until a key ends the process. */
async function watchTests(args: string[]): Promise<void> {
  if (!process.stdin.isTTY) {
    console.error(
      'npm test -- --watch waits for changes and keys, so it needs a terminal. Run it without --watch.',
    )
    process.exit(1)
  }
  const { filter, options } = parseCLI(['vitest', ...args])
  // Vitest knows which tests import a file, and not which ones call the bundle of a function.
  const inBundles = {
    pattern: /./,
    testsToRun(file: string) {
      const path = relative('.', file).replaceAll('\\', '/')
      return /^(functions|lib)\//.test(path)
        ? testsReachedBy([path], projectFiles()).tests
        : undefined
    },
  }
  const watched = { watch: true, watchTriggerPatterns: [inBundles] }
  const vitest = await startVitest(filter, { reporters: 'default', ...options, ...watched })
  // At the key q. Vitest would fail after any failed run. After Ctrl-C, it ends with 130, as a shell says.
  process.on('exit', (code) => {
    if (code === 130) return
    const count = countTests(vitest)
    console.log(summary(count))
    process.exitCode = count.failed > 0 ? 1 : 0
  })
}

/** Runs the checks concurrently, prints their output one after the other, and returns which of them have succeeded. */
function runChecks(checks: Check[]): Promise<boolean[]> {
  const runs = checks.map(({ title, command }) => ({ title, captured: capture(command) }))
  return Array.fromAsync(runs, async ({ title, captured }) => {
    const { output, succeeded } = await captured
    heading(title)
    console.log(output.trim() || 'Nothing to report.')
    return succeeded
  })
}

function capture(command: string[]): Promise<{ output: string; succeeded: boolean }> {
  const options = { maxBuffer: Number.POSITIVE_INFINITY }
  return new Promise((resolve) => {
    execFile(process.execPath, command, options, (error, stdout, stderr) =>
      resolve({ output: stdout + stderr, succeeded: error === null }),
    )
  })
}

async function runTests(args: string[]): Promise<Count> {
  heading('Tests')
  const { filter, options } = parseCLI(['vitest', 'run', ...args])
  const vitest = await startVitest(filter, { reporters: 'default', ...options, watch: false })
  const count = countTests(vitest)
  // Vitest also fails without a failed test, for example if the global setup fails.
  if (process.exitCode && count.failed === 0) count.failed = 1
  return count
}
