import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { helpIfAsked } from '@player-nfts/local/help'
import { startIndexerServer } from '@player-nfts/local/indexer/indexer-server'
import { samples } from '@player-nfts/local/samples'
import { sampleWorld } from '@player-nfts/local/samples/sample-world'
import { stageDefaults } from '../infra/settings/stages.ts'
import { cdkFor } from './deploy-local/cdk.ts'
import { completeDeployment, setIndexerKey } from './deploy-local/complete-deployment.ts'
import { startMinistack } from './deploy-local/ministack.ts'
import { ministackProgram, pythonEnvironment } from './deploy-local/python-environment.ts'
import { killCommands } from './deploy-local/run-command.ts'
import { userTokenCommand } from './deploy-local/user-token-command.ts'

helpIfAsked([
  `Usage: npm run deploy:local [-- --port <port>]

Deploys the service to MiniStack, an AWS emulator that it installs (Python 3.10 or later), and runs until Ctrl-C.

  --port <port>  the port of all AWS services and of the API on 127.0.0.1 (default 4566)`,
])

const stackName = 'PlayerNfts-local'
const { values } = parseArgs({ options: { port: { type: 'string', default: '4566' } } })

async function deployLocal(port: number, cleanup: AsyncDisposableStack): Promise<void> {
  const python = await pythonEnvironment(ministackProgram)
  const dir = await mkdtemp(join(tmpdir(), 'player-nfts-local-aws-'))
  cleanup.defer(() => rm(dir, { recursive: true, force: true }))
  const indexer = await startIndexerServer({ world: sampleWorld() })
  cleanup.defer(() => indexer.close())
  const ministack = await startMinistack(python, dir, port)
  cleanup.defer(() => ministack.close())
  console.log('Deploying (about a minute)…')
  const cdk = cdkFor(ministack, dir, stackName)
  await cdk.bootstrap()
  const { chain, address, decimals } = samples.serviceToken
  const version = await cdk.synth('local', {
    stage: 'local',
    serviceToken: `${chain}:${address}:${decimals}`,
    indexerUrl: indexer.url,
    awsEndpointUrl: ministack.aws.endpoint,
  })
  const outputs = await cdk.deploy(version)
  await completeDeployment(python, ministack, version, stackName)
  await setIndexerKey(ministack, { outputs })
  // Here, MiniStack has no TLS.
  const url = outputs.ApiUrl.replace(/^https:/, 'http:')
  const { issuer, userJwtAudience } = stageDefaults.local
  const key = { keyId: outputs.UserJwtKeyArn, issuer: `${issuer}`, audience: `${userJwtAudience}` }
  console.log(`
The API:        ${url}/api/public/v1
AWS:            ${ministack.aws.endpoint} (any credentials, region ${ministack.aws.region})
User JWT key:   ${outputs.UserJwtKeyArn}

curl -w '\\n' ${url}/api/public/v1/public-key

A user JWT of a sample player:

${userTokenCommand({ ...ministack.aws, ...key })}

Ctrl-C ends it and deletes everything that it has created.`)
}

const cleanup = new AsyncDisposableStack()
const interrupted = Promise.withResolvers<'interrupted'>()
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.once(signal, () => {
    killCommands()
    interrupted.resolve('interrupted')
  })
}
let exitCode = 0
const deployed = deployLocal(Number(values.port), cleanup).catch((error) => error as Error)
const first = await Promise.race([deployed, interrupted.promise])
if (first instanceof Error) {
  console.error(first.message)
  exitCode = 1
} else if (first !== 'interrupted') await interrupted.promise
await deployed
await cleanup.disposeAsync()
process.exit(exitCode)
