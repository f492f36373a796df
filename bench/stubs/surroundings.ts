import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { localAccess } from '@player-nfts/local/aws/aws-access'
import { provision } from '@player-nfts/local/aws/provision'
import { functionVariables } from '@player-nfts/local/function-variables'
import { createWorld } from '@player-nfts/local/indexer/world'
import { readLocalSettings } from '@player-nfts/local/settings'
import type { UserJwtKey } from '@player-nfts/local/user-jwt'
import { type Delays, startAwsStub } from './aws-stub.ts'
import { callCounter } from './call-counter.ts'
import { startIndexerStub } from './indexer-stub.ts'
import { memoryTable } from './memory-table.ts'

/** The surroundings of a function: the stubs that it calls, and its environment. */
export type Surroundings = Awaited<ReturnType<typeof startSurroundings>>

/** Typical response times within a Region and of the indexer, in milliseconds. */
export const fixedDelays: Readonly<Delays> = {
  DynamoDB: 5,
  KMS: 15,
  SQS: 5,
  'Secrets Manager': 5,
  indexer: 150,
}

/** Starts the stubs on 127.0.0.1 without delays. They end with `ending`. */
export async function startSurroundings(ending: AsyncDisposableStack) {
  const dataDir = await mkdtemp(join(tmpdir(), 'player-nfts-bench-'))
  ending.defer(() => rm(dataDir, { recursive: true, force: true }))
  const counter = callCounter()
  const delays: Delays = { DynamoDB: 0, KMS: 0, SQS: 0, 'Secrets Manager': 0, indexer: 0 }
  const table = memoryTable()
  const world = createWorld()
  const aws = await startAwsStub({ table, dataDir, counter, delays })
  ending.defer(aws.close)
  const indexerClock = { now: Date.now() }
  const indexer = await startIndexerStub({ world, counter, delays, clock: indexerClock })
  ending.defer(indexer.close)
  // Containers write no usage for an hour, because the time of a write would depend on earlier measurements.
  const settings = readLocalSettings({ USAGE_DELAY_SECONDS: '3600' })
  const access = localAccess(aws.url, settings.region)
  const resources = await provision(access, 'bench-indexer-key')
  const urls = { indexerUrl: indexer.url, url: 'http://127.0.0.1' }
  const all = functionVariables(settings, access, resources, urls)
  // As in most deployments: with it, functions tell webhooks of what they do.
  const { WEBHOOK_QUEUE_URL = '', ...withoutWebhooks } = all
  /** The environment of the functions, B0 and the naive peer, which inherit no other variables. */
  const variables: Record<string, string> = {
    ...withoutWebhooks,
    // alchemy-sdk as published uses a deprecated API of Node.
    NODE_NO_WARNINGS: '1',
  }
  const userJwtKey: UserJwtKey = {
    ...access,
    keyId: resources.userJwtKeyArn,
    issuer: settings.passed.ISSUER,
    audience: settings.passed.USER_JWT_AUDIENCE,
  }
  return {
    ...{ table, world, counter, variables, userJwtKey },
    /** The response times, and the time of the indexer, can be changed at any time. */
    ...{ delays, indexerClock },
    /** What a deployment with webhooks adds. */
    webhookVariables: { WEBHOOK_QUEUE_URL },
  }
}
