import { existsSync, globSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

/**
 * The commands that are not run as they stand on their pages: their pages, how the first line of their block begins, and the file
 * with the test that stands for them, after the reason if there can be none that runs them.
 */
const notRun: readonly (readonly [pages: RegExp, beginning: RegExp, reason: string])[] = [
  [/README/, /^npm start$/, 'local/test/start.test.ts'],
  [/README/, /^npm run build:client$/, 'test/clients/packed/installation.test.ts'],
  [/^examples\//, /^(API_KEY=|curl )/, 'test/clients/pages/example-servers.test.ts'],
  [/api/, /^java -jar openapi-generator/, 'test/languages/client-generator.ts'],
  [/connect/, /^(ISSUER|LOGINS)=/, 'test/clients/pages/commands.test.ts'],
  [
    /./,
    /^(?:[A-Z_]+=|for [A-Z]+ in |\{ )?(?:\$\()?(?:aws |arn:aws)|^failures\(\)/,
    'the AWS CLI and an account: test/deployed/cli-commands.ts',
  ],
  [/./, /^(export AWS_|SECOND=|RESTORED=)/, 'an account: test/deployed/cli-commands.ts'],
  [/./, /^(npx cdk|cp deployments|jq )/, 'an account: test/deployed/test-deployed.ts'],
  [/first-day/, /^(read -rs|ANSWER=|curl )/, 'an account: test/repository/first-day.test.ts'],
  [/first-day/, /^(USER_JWT=|export API_KEY)/, 'an account: test/deployed/smoke.ts'],
  [/./, /^ask /, 'Logs Insights: test/infra/monitoring/saved-queries.test.ts'],
  [/./, /^npm run --silent roll-back/, 'an account: test/deployed/roll-back.ts'],
  [/./, /^npm run --silent (forget-player|player-digest)/, 'test/scripts/player-commands.test.ts'],
  [/./, /^npm run --silent (stop|start)-product/, 'test/scripts/stop-product.test.ts'],
  [/changes/, /^npm run --silent allow-sign-in/, 'test/service/allowed-sign-in.test.ts'],
  [/changes/, /^curl .* -i /, 'CloudFront: test/deployed/dashboard.ts'],
  [/runbook/, /^(BASE="\$API_URL|curl )/, 'a key that is typed: test/api/end-key.test.ts'],
  [/runbook/, /^PLAYER_TOKEN=…$/, 'a token that is typed: test/service/player-token.test.ts'],
  [
    /account-trial/,
    /^npm run test:deployed/,
    'an account: test/scripts/test-account/trial.test.ts',
  ],
  [/local-aws/, /^npm run deploy:local$/, 'Python, and a minute: test/deployed/test-deployed.ts'],
  [/local-aws/, /^npm start$/, 'test/sam/test-sam.ts'],
  [/local-aws/, /^ngrok /, 'accounts of ngrok and Cloudflare: local/test/foreign-requests.test.ts'],
  [/performance/, /^npm run bench/, '20 minutes: bench/bench.ts'],
  [/pipeline/, /^gh secret/, 'a repository at GitHub: test/repository/deploy-workflow.test.ts'],
]

const read = (file: string) => readFileSync(file, 'utf8')

/** The pages whose blocks `sh` this file runs, in the order of each page. */
const runner = 'test/clients/pages/commands.test.ts'
const isRun = (page: string) => read(runner).includes(`{ page: '${page}'`)

/** What the first line of a block of commands begins with, and not of a block with an answer, a request or a query. */
const command =
  /^(?:[A-Z_]+=|[a-z]+\(\)|\{ aws|\(cd|(?:aws|ask|cp|curl|export|for|gh|java|jq|ngrok|node|npm|npx|openssl|read) )/

/** The generated page has a test of its own. */
const pages = globSync(['*.md', 'docs/*.md', 'examples/**/*.md', 'clients/typescript/*.md'], {
  exclude: ['**/node_modules', 'docs/reference.md', 'docs/specification.md'],
})

const blocks = pages.flatMap((page) =>
  Array.from(read(page).matchAll(/^ *```(sh|text)\n *(.*)/gm), ([, language = '', first = '']) => ({
    page,
    language,
    first,
  })).filter(({ first }) => command.test(first)),
)

test('each command of the pages runs in a test, or is on the list of those that do not', () => {
  expect(blocks.length).toBeGreaterThan(100)
  const isListed = ({ page, first }: (typeof blocks)[number]) =>
    notRun.some(([pages, beginning]) => pages.test(page) && beginning.test(first))
  const forgotten = blocks.filter(
    (block) => !(block.language === 'sh' && isRun(block.page)) && !isListed(block),
  )
  expect(forgotten, `Write sh in place of text, and name the page in ${runner}.`).toEqual([])
})

test('the list has only commands that are on a page and not run, and names tests that exist', () => {
  const unused = notRun.filter(
    ([pages, beginning]) =>
      !blocks.some(
        ({ page, language, first }) =>
          pages.test(page) && beginning.test(first) && !(language === 'sh' && isRun(page)),
      ),
  )
  expect(unused).toEqual([])
  const files = notRun.map(([, , reason]) => reason.replace(/^.*: /, ''))
  expect(files.filter((file) => !existsSync(file))).toEqual([])
})
