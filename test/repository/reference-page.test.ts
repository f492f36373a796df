import { execFile } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { problemPath } from '@player-nfts/dashboard/shell/docs-paths'
import { expect, test } from 'vitest'
import { operationIds } from '../../functions/operations.ts'
import { problems } from '../../lib/domain/problems.ts'
import { documentationOf } from '../../openapi/operations.ts'
import { anchorOf } from '../../openapi/reference/markdown.ts'
import { variableOf } from '../../openapi/reference/operation-section.ts'
import { acceptedRequest } from '../support/accepted-requests.ts'
import { newFolder } from '../support/command-fixture.ts'
import { isOfSignIn } from '../support/operations.ts'
import { sharedService } from '../support/services/service.ts'
import { onWindows } from '../support/vitest/windows.ts'

const service = sharedService()
const page = readFileSync('docs/reference.md', 'utf8')
const sections = page.split(/^(?=### )/m)

test('docs/reference.md: the calls of the client are right for the compiler', async () => {
  const [setup, ...calls] = Array.from(page.matchAll(/^```ts\n(.*?)^```$/gms), ([, code]) => code)
  expect(calls).toHaveLength(operationIds.length)
  const folder = newFolder()
  const compilerOptions = {
    ...{
      target: 'es2022',
      module: 'nodenext',
      types: ['node'],
      typeRoots: [resolve('node_modules/@types')],
    },
    ...{ strict: true, allowImportingTsExtensions: true, noEmit: true, skipLibCheck: true },
    paths: { 'player-nfts-client': [resolve('clients/typescript/src/index.ts')] },
  }
  writeFileSync(join(folder, 'calls.ts'), [setup, ...calls].join('\n'))
  const config = { compilerOptions, files: ['calls.ts'] }
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(config))
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }')
  const args = ['node_modules/typescript/bin/tsc', '--project', folder]
  const { stdout } = await promisify(execFile)(process.execPath, args).catch((error) => error)
  expect(stdout).toBe('')
})

test('docs/reference.md: each problem has the heading to which the dashboard and npm start lead', () => {
  const problemsPart = page.split(/^(?=## )/m).find((part) => part.startsWith('## Problems\n'))
  const headings = Array.from(problemsPart?.matchAll(/^### (.*)$/gm) ?? [], ([, text = '']) => text)
  const paths = headings.map((heading) => `/docs/reference-problems.html#${anchorOf(heading)}`)
  expect(paths.toSorted()).toEqual(Object.keys(problems).map(problemPath).toSorted())
})

test.skipIf(onWindows).each(operationIds)('docs/reference.md: the command of %s', async (id) => {
  const section = sections.find((text) => text.startsWith(`### ${documentationOf(id).summary}\n`))
  const command = section?.match(/^```sh\n(.*?)^```$/ms)?.[1] ?? ''
  const { apiKey, userJwt, playerToken, path = {} } = await acceptedRequest(service, id)
  const variables = {
    ORIGIN: service.url,
    BASE: `${service.url}/api/public/v1`,
    API_KEY: apiKey,
    USER_JWT: userJwt,
    PLAYER_TOKEN: playerToken,
    ...Object.fromEntries(Object.entries(path).map(([name, value]) => [variableOf(name), value])),
  }
  const status = `curl() { command curl -sS -o /dev/null "$@" -w '%{http_code}'; }\n${command}`
  const env = { ...process.env, ...variables }
  const { stdout } = await promisify(execFile)('bash', ['-c', status], { env })
  // Nobody can sign the messages of the examples, and they have no session.
  expect(stdout).toMatch(isOfSignIn(id) ? /^(200|400|401)$/ : /^200$/)
})
