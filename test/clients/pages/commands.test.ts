import { readFileSync } from 'node:fs'
import { symlink, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { noteRunning } from '@player-nfts/local/running-stack'
import { sampleProduct } from '@player-nfts/local/samples/sample-product'
import { describe, expect, test } from 'vitest'
import { newFolder } from '../../support/command-fixture.ts'
import { freePort } from '../../support/services/free-port.ts'
import { startOwnService } from '../../support/services/own-service.ts'
import { newAddress } from '../../support/services/service.ts'
import { comparable, outputs, showing } from '../../support/shown-output.ts'
import { startIdentityProvider } from '../../support/tokens/identity-provider.ts'
import { onWindows } from '../../support/vitest/windows.ts'
import { newProject } from '../packed/new-project.ts'
import { readersNode } from './page-program.ts'

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

/** What the reader of a page has, beside the page and `npm start`. */
interface Reader {
  /** The settings with which it was started. */
  settings?: Record<string, string>
  /** Texts of the page, with what the reader writes in their place. */
  texts?: Record<string, string>
}

/** The login of a platform, and a user JWT that it has signed, as those of Privy. */
async function platform(): Promise<Reader> {
  const { jwksUrl, sign } = await startIdentityProvider('ES256')
  const [issuer, audience] = ['privy.io', 'my-app']
  const wallets = {
    ...{ claim: 'linked_accounts', addressField: 'address' },
    where: { type: 'wallet', chain_type: 'ethereum' },
  }
  const login = { issuer, audiences: [audience], jwksUrl, usernameClaims: ['sub'], wallets }
  const now = Math.floor(Date.now() / 1_000)
  const accounts = [
    { type: 'email', address: 'neo@studio.example' },
    { type: 'wallet', address: newAddress(), chain_type: 'ethereum' },
    { type: 'wallet', address: 'a'.repeat(44), chain_type: 'solana' },
  ]
  const jwt = await sign({
    ...{ sub: 'did:privy:1', linked_accounts: JSON.stringify(accounts) },
    ...{ iss: issuer, aud: audience, iat: now, exp: now + 600 },
  })
  return {
    settings: { LOGINS: JSON.stringify([login]), USER_IDS: 'assigned' },
    texts: { 'eyJhbGciOi…': jwt },
  }
}

/** What a page says before its first command, if it takes the API key of the sample game. */
const ofSampleGame = /API key of the sample game, here in `API_KEY`/

describe.each<{ page: string; answers: number; until?: RegExp; reader?: () => Promise<Reader> }>([
  { page: 'README.md', answers: 4 },
  { page: 'docs/allowlists.md', answers: 7 },
  { page: 'docs/api.md', answers: 9 },
  // The servers of these pages go on in the background.
  { page: 'docs/webhooks.md', answers: 8, until: /\b10001: null to 0x/ },
  { page: 'docs/webhook-events.md', answers: 7, until: /\b10001: null to 0x/ },
  { page: 'docs/wallet-sign-in.md', answers: 3 },
  { page: 'docs/connect-your-platform.md', answers: 2, reader: platform },
])('$page', ({ page, answers: leastAnswers, until, reader }) => {
  test.skipIf(onWindows)(
    'shows the output of its commands and programs, run in the order of the page',
    async () => {
      const { settings = {}, texts = {} } = (await reader?.()) ?? {}
      // The pages mint NFTs, which other tests must not see. An event comes after 31 s, in place of 75.
      const { stack } = await startOwnService({
        ...{ USAGE_DELAY_SECONDS: '1', FOLLOW_POLL_SECONDS: '1', ...settings },
        ...(until && { FOLLOWED_CHAINS: 'POLYGON', SETTLING_SECONDS: '0' }),
      })
      const { url, userJwtKey, sampleIndexerUrl = '', functions } = stack
      const { folder } = await newProject({ type: 'module' })
      await symlink(
        resolve('node_modules/standardwebhooks'),
        join(folder, 'node_modules/standardwebhooks'),
      )
      const { env: variablesOfFunctions = {} } = functions['create-player-token'] ?? {}
      await noteRunning(folder, {
        ...{ pid: process.pid, url, userJwtKey, sampleIndexerUrl },
        variables: variablesOfFunctions,
      })
      const replacements = {
        ...{ 'http://127.0.0.1:3000': url, '8080': `${await freePort()}` },
        ...{ 'login-key.pem': join(folder, 'login-key.pem'), ...texts },
      }
      const here = Object.entries(replacements).reduce(
        (text, [shown, own]) => text.replaceAll(shown, own),
        followed(page),
      )
      const steps = (await withPrograms(here, folder)).split(/^```sh\n/m).slice(1)
      const commands = steps.map((step) => step.split(/^```$/m)[0] ?? '')
      const shown = steps.map(
        (step) => step.match(/^```(?:json|text)\n([\s\S]*?)^```$/m)?.[1] ?? '',
      )
      const { apiKey: API_KEY } = ofSampleGame.test(here)
        ? await sampleProduct(url, folder, ['POLYGON', 'BSC'])
        : { apiKey: '' }
      const variables = { DATA_DIR: folder, PORT: new URL(url).port, API_KEY }
      const printed = await outputs(commands, variables, until)
      expect(printed.map(comparable)).toEqual(shown.map(showing))
      expect(shown.filter((output) => output !== '').length).toBeGreaterThanOrEqual(leastAnswers)
    },
  )
})

/** The commands of a page that start the service with the login of a platform. */
const starts = Array.from(
  read('docs/connect-your-platform.md').matchAll(/^```text\n([^`]*npm start)\n```$/gm),
  ([, command = '']) => command,
)

test.skipIf(onWindows).each(starts)(
  'docs/connect-your-platform.md starts the service: command %#',
  async (command) => {
    const folder = newFolder()
    const { settings: { LOGINS = '' } = {} } = await platform()
    await writeFile(join(folder, 'logins.json'), LOGINS)
    const here = command.replace('logins.json', join(folder, 'logins.json'))
    const variables = { PORT: '0', DATA_DIR: folder, TMPDIR: newFolder() }
    // A command that goes on ends nothing.
    expect(await outputs([here], variables, /^Ctrl-C ends it\.$/m)).toEqual([])
  },
)
