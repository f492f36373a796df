import { existsSync, globSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { leftOut, operatorCommands, operatorPages } from '../deployed/operator-pages.ts'
import { type CommandBlock, commandBlocks } from '../support/command-blocks.ts'

/**
 * The commands that are not run as they stand on their pages: their pages, how the first line of their block begins, and the file
 * with the test that stands for them, after the reason if there can be none that runs them. operator-pages.ts has those of operators.
 */
const notRun: readonly (readonly [pages: RegExp, beginning: RegExp, reason: string])[] = [
  [/README/, /^npm start$/, 'local/test/start.test.ts'],
  [/README/, /^npm run build:client$/, 'test/clients/packed/installation.test.ts'],
  [/^examples\//, /^(API_KEY=|curl )/, 'test/clients/pages/example-servers.test.ts'],
  [/api/, /^java -jar openapi-generator/, 'test/languages/client-generator.ts'],
  [/connect/, /^(ISSUER|LOGINS)=/, 'test/clients/pages/commands.test.ts'],
  [
    /account-trial/,
    /^npm run test:deployed/,
    'an account: test/scripts/test-account/trial.test.ts',
  ],
  [/local-aws/, /^npm run deploy:local$/, 'Python, and a minute: test/deployed/test-deployed.ts'],
  [/local-aws/, /^export AWS_/, 'a shell with such variables: test/deployed/operator-shell.ts'],
  [/local-aws/, /^npm start$/, 'test/sam/test-sam.ts'],
  [/local-aws/, /^ngrok /, 'accounts of ngrok and Cloudflare: local/test/foreign-requests.test.ts'],
  [/performance/, /^npm run bench/, '20 minutes: bench/bench.ts'],
]

const read = (file: string) => readFileSync(file, 'utf8')

/** The pages whose blocks `sh` this file runs, in the order of each page. */
const runner = 'test/clients/pages/commands.test.ts'
const isRun = (page: string) => read(runner).includes(`{ page: '${page}'`)

/** The generated page has a test of its own, and `npm run test:deployed` runs what is not left out of the pages for operators. */
const pages = globSync(['*.md', 'docs/*.md', 'examples/**/*.md', 'clients/typescript/*.md'], {
  exclude: ['**/node_modules', 'docs/reference.md', 'docs/specification.md', ...operatorPages],
})

const blocks = pages.flatMap(commandBlocks)

const runs = ({ language, page }: CommandBlock) => language === 'sh' && isRun(page)

test('each command of the pages runs in a test, or is on the list of those that do not', () => {
  expect(blocks.length).toBeGreaterThan(40)
  const isListed = ({ page, first }: CommandBlock) =>
    notRun.some(([pages, beginning]) => pages.test(page) && beginning.test(first))
  const forgotten = blocks.filter((block) => !runs(block) && !isListed(block))
  expect(forgotten, `Write sh in place of text, and name the page in ${runner}.`).toEqual([])
})

test('the lists have only commands that are on a page and not run, and name tests that exist', () => {
  const unused = notRun.filter(
    ([pages, beginning]) =>
      !blocks.some(
        (block) => pages.test(block.page) && beginning.test(block.first) && !runs(block),
      ),
  )
  expect(unused).toEqual([])
  const unusedOfOperators = leftOut.filter(
    ([commands]) => !operatorCommands.some(({ text }) => text.search(commands) >= 0),
  )
  expect(unusedOfOperators).toEqual([])
  const reasons = [...notRun.map(([, , reason]) => reason), ...leftOut.map(([, reason]) => reason)]
  const files = reasons.map((reason) => /[\w./-]+\.ts/.exec(reason)?.[0] ?? reason)
  expect(files.filter((file) => !existsSync(file))).toEqual([])
})
