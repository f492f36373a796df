import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { deploymentSettings } from '../../infra/settings/settings.ts'
import { onWindows } from '../support/vitest/windows.ts'
import { runCommands } from './workflow-steps.ts'

const page = readFileSync('docs/first-day.md', 'utf8')

/** The page says that its reader has jq; not every machine that runs the tests has it. */
const withoutJq = onWindows || spawnSync('jq', ['--version']).status !== 0

test('the settings of docs/first-day.md can be deployed', () => {
  const [, settings = ''] = /```json\n([\s\S]*?)```/.exec(page) ?? []
  expect(deploymentSettings(JSON.parse(settings))).toMatchObject({ stage: 'prod' })
})

/**
 * Runs a command after the lines of `prod.sh`, with an AWS CLI that answers these texts, and returns what it was asked.
 * After a second, it answers a text of the same name with `-later`, if there is one.
 */
async function withVariables(command: string, answers: Readonly<Record<string, string>>) {
  const [, variables = ''] = /```text\n(export AWS_REGION.*\nSTACK=[\s\S]*?)```/.exec(page) ?? []
  const { stdout, stderr, read } = await runCommands(['sh', '-c', `${variables}\n${command}`], {
    commands: {
      aws: `printf '%s\\n' "$@" > "asked-$2"\ncat "$2"`,
      sleep: `for file in *-later; do mv "$file" "\${file%-later}"; done`,
    },
    files: answers,
  })
  return { stdout, stderr, argumentsOf: (operation: string) => read(`asked-${operation}`) }
}

test.skipIf(withoutJq)('the function ask of docs/first-day.md runs a saved query', async () => {
  const queryString = 'filter player = "<digest>" and status >= 500\n| sort @timestamp desc'
  const fields = Object.entries({ reason: 'HTTP 429', first: '20:40', '@ptr': 'x' })
  const row = fields.map(([field, value]) => ({ field, value }))
  const results = (status: string, ...found: unknown[]) =>
    JSON.stringify({ status, results: found })
  const { stdout, argumentsOf } = await withVariables('ask player/requests 86400 91bc22ab', {
    'describe-stacks': 'x',
    'describe-query-definitions': JSON.stringify({ queryString, logGroupNames: ['a', 'b'] }),
    'start-query': 'id-1',
    'get-query-results-later': results('Running', row),
    'get-query-results-later-later': results('Complete', row, row),
  })
  expect(stdout).toBe('reason=HTTP 429  first=20:40\n'.repeat(2))
  expect(await argumentsOf('describe-query-definitions')).toContain(
    '\nPlayerNfts-prod/player/requests\n',
  )
  const started = await argumentsOf('start-query')
  expect(started).toContain('\n--log-group-names\n["a","b"]\n')
  expect(started).toContain(
    '\nfilter player = "91bc22ab" and status >= 500\n| sort @timestamp desc\n',
  )
  const times = /--start-time\n(\d+)\n--end-time\n(\d+)/.exec(started)?.slice(1).map(Number) ?? []
  expect(Number(times[1]) - Number(times[0])).toBeGreaterThanOrEqual(86_400)
  expect(await argumentsOf('get-query-results')).toContain('\n--query-id\nid-1\n')
})

test.skipIf(withoutJq)(
  'ask says that there is no such query, or that it found no lines',
  async () => {
    const named = { queryString: 'limit 1', logGroupNames: ['a'] }
    const found = (definition: unknown) =>
      withVariables('ask player/requets', {
        'describe-stacks': 'x',
        'describe-query-definitions': JSON.stringify(definition),
        'start-query': 'id-1',
        'get-query-results': JSON.stringify({ status: 'Complete', results: [] }),
      })
    expect(await found(null)).toMatchObject({
      stdout: '',
      stderr: 'There is no saved query PlayerNfts-prod/player/requets.\n',
    })
    expect(await found(named)).toMatchObject({ stdout: 'no lines\n' })
  },
)
