// `npm test`: runs the linter (with the import rules of biome.json), the type check and most tests. A failure
// of one does not stop the others. The last line of standard output counts them, with the linter and each type
// check as one test: `N passed, N failed`, followed by `, N skipped` if tests were skipped. The exit code
// is 0 only if at least one test passed and none failed.
//
// With arguments, which are those of Vitest, it runs only tests, and those of all projects:
// `npm test -- test/api`, `npm test -- -t 'D19'`.

import { spawn } from 'node:child_process'
import { parseCLI, startVitest } from 'vitest/node'
import { helpIfAsked } from '../local/help.ts'
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
  'Usage: npm test [-- FILE… | -t TITLE | an option of Vitest]',
  '       npm run test:browser, npm run test:million: the same for these tests',
  '',
  'Runs the linter, the type check and most tests; with arguments, only the tests that they select.',
  'The last line counts the results. CHROME_PATH sets the browser of test:browser.',
])

const vitestArguments = process.argv.slice(2)
const isWhole = vitestArguments.length === 0
const checks = isWhole ? await runChecks([LINT, ...TYPES]) : []
const count = sum([
  ...checks,
  await runTests(isWhole ? projects.map((name) => `--project=${name}`) : vitestArguments),
])
console.log(summary(count))
// Without this call, a handle that a test leaves open would keep the process running.
process.exit(count.failed > 0 || count.passed === 0 ? 1 : 0)

/** Runs the checks concurrently and prints their output one after the other. */
async function runChecks(checks: Check[]): Promise<Count[]> {
  const runs = checks.map(({ command }) => capture(command))
  const counts: Count[] = []
  for (const [index, { title }] of checks.entries()) {
    const { output, succeeded } = await (runs[index] as (typeof runs)[number])
    heading(title)
    console.log(output.trim() || 'Nothing to report.')
    counts.push({ passed: succeeded ? 1 : 0, failed: succeeded ? 0 : 1, skipped: 0 })
  }
  return counts
}

function capture(command: string[]): Promise<{ output: string; succeeded: boolean }> {
  const child = spawn(process.execPath, command, { stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text
    })
  }
  return new Promise((resolve, reject) => {
    child.on('error', reject)
    child.on('close', (code) => resolve({ output, succeeded: code === 0 }))
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

function sum(counts: Count[]): Count {
  const total = { passed: 0, failed: 0, skipped: 0 }
  for (const { passed, failed, skipped } of counts) {
    total.passed += passed
    total.failed += failed
    total.skipped += skipped
  }
  return total
}
