// `npm run test:sam`: runs the API tests against the functions behind the API service of the AWS SAM CLI.
//
// Needs Python 3.10 or later, and neither Docker nor an AWS account: Node runs the functions in place of SAM's
// container. The last line of standard output counts the tests: `N passed, N failed`, followed by `, N skipped` if
// any were skipped. The exit code is 0 only if at least one test passed and none failed.

import assert from 'node:assert/strict'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { helpIfAsked } from '@player-nfts/local/help'
import { routes } from '../../functions/operations.ts'
import type { Resource } from '../../infra/deployment/stack-templates.ts'
import type { Route } from '../../lib/contract/route.ts'
import { heading } from '../../scripts/count.ts'
import { pythonEnvironment } from '../../scripts/deploy-local/python-environment.ts'
import { runCommand } from '../../scripts/deploy-local/run-command.ts'
import { testApi } from '../deployed/api-tests.ts'
import { type EmulatorRun, runOnEmulator } from '../deployed/emulator-run.ts'
import { samExceptions } from '../deployed/exceptions.ts'
import { npmStart } from '../deployed/npm-start.ts'
import { samProgram, startSamApi } from './sam-api.ts'

helpIfAsked([
  'Usage: npm run test:sam',
  '',
  'Runs the API tests against the functions behind the API service of the AWS SAM CLI. Needs Python 3.10 or later.',
])

await runOnEmulator(testBehindSam)

async function testBehindSam(run: EmulatorRun): Promise<void> {
  const { cleanup, tally } = run
  heading('Start')
  const python = await pythonEnvironment(samProgram)
  const dataDir = await mkdtemp(join(tmpdir(), 'player-nfts-sam-'))
  cleanup.defer(() => rm(dataDir, { recursive: true, force: true }))
  let isReady = false
  const started = await npmStart(dataDir, {}, (line) => isReady || console.log(line))
  isReady = true
  cleanup.defer(() => started.close())
  const outDir = join(dataDir, 'sam')
  await runCommand({
    name: 'npm run sam',
    file: process.execPath,
    args: [join(import.meta.dirname, '../../scripts/sam.ts'), '--out', outDir],
    env: { ...process.env, DATA_DIR: dataDir },
    seconds: 180,
  })
  await tally.check('The template that SAM reads has a route of each operation', async () => {
    const template = await readFile(join(outDir, 'cdk.out/sam.template.json'), 'utf8')
    const found = Object.values<Resource>(JSON.parse(template).Resources).flatMap(
      ({ Type, Properties }) => (Type === 'AWS::ApiGatewayV2::Route' ? Properties.RouteKey : []),
    )
    const keys = Object.values<Route>(routes).flatMap(({ method, paths }) =>
      paths.map((path) => `${method} ${path}`),
    )
    assert.deepEqual(found.toSorted(), keys.toSorted())
  })
  const api = await startSamApi(python, outDir)
  cleanup.defer(() => api.close())

  const target = { ...started.target, url: api.url }
  await testApi(run, target, { exceptions: samExceptions })
}
