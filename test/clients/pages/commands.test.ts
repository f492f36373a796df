import { readFileSync } from 'node:fs'
import { symlink, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { noteRunning } from '@player-nfts/local/running-stack'
import { describe, expect, test } from 'vitest'
import { freePort } from '../../support/services/free-port.ts'
import { startOwnService } from '../../support/services/own-service.ts'
import { comparable, outputs, showing } from '../../support/shown-output.ts'
import { onWindows } from '../../support/vitest/windows.ts'
import { newProject } from '../packed/new-project.ts'
import { readersNode } from './readers-node.ts'

const read = (page: string) => readFileSync(page, 'utf8')
const readme = read('README.md')
const fourCalls = readme.split(/^## /m).find((section) => section.startsWith('Four calls')) ?? ''

/** What a page says before its first command, if it continues the four calls of the README. */
const continuing =
  /continue the \[four calls[^\]]*\]\([^)]*README\.md#four-calls\),\s+in the same shell/

/** A page as its reader follows it from its first line: after the page that it continues. */
function followed(page: string): string {
  const text = read(page)
  const [before = ''] = text.split('\n```sh\n')
  return continuing.test(before) ? `${fourCalls}\n${text}` : text
}

/** A program of a page: its file name on the page, and its text. */
const programs = /[Ss]ave this as\s`([\w.-]+)`:\n\n```js\n([\s\S]*?)^```$/gm

/** Writes the programs of a page into a project. Returns the page with the commands that run them there, with the Node of their readers. */
async function withPrograms(page: string, folder: string): Promise<string> {
  let runnable = page.replaceAll('../my-game', folder)
  for (const [, name = '', program = ''] of page.matchAll(programs)) {
    const file = join(folder, name)
    await writeFile(file, program)
    runnable = runnable.replaceAll(`node ${name}`, `'${readersNode(program)}' '${file}'`)
  }
  return runnable
}

describe.each<[page: string, answers: number, until?: RegExp]>([
  ['README.md', 4],
  ['docs/allowlists.md', 7],
  ['docs/api.md', 9],
  // The servers of these pages go on in the background.
  ['docs/webhooks.md', 8, /\b10001: null to 0x/],
  ['docs/webhook-events.md', 7, /\b10001: null to 0x/],
])('%s', (page, leastAnswers, until) => {
  test.skipIf(onWindows)(
    'shows the output of its commands and programs, run in the order of the page',
    async () => {
      // The pages mint NFTs, which other tests must not see. An event comes after 31 s, in place of 75.
      const { stack } = await startOwnService({
        ...{ USAGE_DELAY_SECONDS: '1', FOLLOW_POLL_SECONDS: '1' },
        ...(until && { FOLLOWED_CHAINS: 'POLYGON', SETTLING_SECONDS: '0' }),
      })
      const { url, userJwtKey, sampleIndexerUrl = '' } = stack
      const { folder } = await newProject({ type: 'module' })
      await symlink(
        resolve('node_modules/standardwebhooks'),
        join(folder, 'node_modules/standardwebhooks'),
      )
      await noteRunning(folder, { pid: process.pid, url, userJwtKey, sampleIndexerUrl })
      const here = followed(page)
        .replaceAll('http://127.0.0.1:3000', url)
        .replaceAll('8080', `${await freePort()}`)
      const steps = (await withPrograms(here, folder)).split(/^```sh\n/m).slice(1)
      const commands = steps.map((step) => step.split(/^```$/m)[0] ?? '')
      const shown = steps.map(
        (step) => step.match(/^```(?:json|text)\n([\s\S]*?)^```$/m)?.[1] ?? '',
      )
      const variables = { DATA_DIR: folder, PORT: new URL(url).port, PLAYER_NFTS_URL: url }
      const printed = await outputs(commands, variables, until)
      expect(printed.map(comparable)).toEqual(shown.map(showing))
      expect(shown.filter((output) => output !== '').length).toBeGreaterThanOrEqual(leastAnswers)
    },
  )
})
