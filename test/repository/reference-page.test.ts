import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { operationIds } from '../../functions/operations.ts'
import { documentationOf } from '../../openapi/operations.ts'
import { variableOf } from '../../openapi/reference/operation-section.ts'
import { acceptedRequest } from '../support/accepted-requests.ts'
import { isOfSignIn } from '../support/operations.ts'
import { sharedService } from '../support/services/service.ts'
import { onWindows } from '../support/vitest/windows.ts'

const service = sharedService()
const sections = readFileSync('docs/reference.md', 'utf8').split(/^(?=### )/m)

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
