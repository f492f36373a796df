import { randomUUID } from 'node:crypto'
import { routes } from '../functions/operations.ts'
import { bundleFile, everyFeature, functionNames, workerName } from '../infra/bundle/bundle.ts'
import { delivererName, followerName } from '../lib/contract/background-names.ts'
import { cors } from '../lib/contract/cors.ts'
import { functionName, type Route } from '../lib/contract/route.ts'
import {
  delivererTimeoutSeconds,
  followerTimeoutSeconds,
  functionTimeoutSeconds,
  workerTimeoutSeconds,
} from '../lib/domain/time-budget.ts'
import { ARWEAVE_GATEWAY, IPFS_GATEWAY } from '../lib/settings/indexer.ts'
import {
  type ApiGateway,
  type GatewayOptions,
  type PageRequest,
  startApiGateway,
} from './api-gateway/api-gateway.ts'
import { type AwsAccess, accessElsewhere, localAccess } from './aws/aws-access.ts'
import { startAwsEndpoint } from './aws/aws-endpoint.ts'
import { provision, type Resources } from './aws/provision.ts'
import { endLeases, forgetKept } from './earlier-run.ts'
import { foreignRefusal } from './foreign-requests.ts'
import { createRunFolder, provideFunctionBundles } from './function-bundles.ts'
import { functionVariables } from './function-variables.ts'
import { startIndexerServer } from './indexer/indexer-server.ts'
import type { LambdaFunction } from './lambda/lambda-function.ts'
import { type LambdaHost, startLambdaHost } from './lambda/lambda-host.ts'
import {
  type PictureGateways,
  pictureGateways,
  samplePicture,
} from './samples/pictures/sample-pictures.ts'
import { sampleWorld } from './samples/sample-world.ts'
import { hasSampleIndexer, type LocalSettings } from './settings.ts'
import { startEventSources, startSchedules } from './triggers.ts'
import type { UserJwtKey } from './user-jwt.ts'

export type LocalStack = Awaited<ReturnType<typeof startLocalStack>>

/** The key for the embedded indexer, which accepts any key. */
const anyIndexerKey = 'local-indexer-key'

export interface LocalStackOptions {
  /** The folder in which `bundleAllFunctions` has put the functions; by default a folder of this run. */
  functionsDir?: string
  /** Receives the output of the functions line by line; the default is the output of this process. */
  log?: (line: string) => void
  /** Receives each request after its response. */
  served?: GatewayOptions['served']
  /** Pages for people, on paths that the API does not have. */
  page?: GatewayOptions['page']
}

/**
 * Starts the whole service on 127.0.0.1: the functions as they are deployed, against AWS and the
 * indexer, embedded or elsewhere as the settings say. If a part does not start, rejects with its error
 * after closing the others.
 */
export async function startLocalStack(
  settings: LocalSettings,
  { functionsDir, log, served, page }: LocalStackOptions = {},
) {
  const ending = new AsyncDisposableStack()
  try {
    const aws = await reachAws(settings, ending, log)
    const resources = await provision(aws, settings.alchemyApiKey ?? anyIndexerKey)
    const sampleIndexerUrl = await serveSamples(settings, ending)
    const indexerUrl = settings.indexerUrl ?? sampleIndexerUrl
    const functionsFolder = functionsDir ?? (await ownFunctions(ending))
    let host: LambdaHost | undefined
    // The functions write links that contain the URL of the gateway, which is known when it listens. Its first request
    // comes later than the next lines.
    const gateway = await startApiGateway({
      port: settings.port,
      routes: gatewayRoutes(),
      invoke: (...call) => (host as LambdaHost).invoke(...call),
      cors,
      ...(log && { log }),
      ...(served && { served }),
      refusal: foreignRefusal,
      page: async (request) => pictureOf(settings, request) ?? (await page?.(request)),
    })
    ending.defer(() => gateway.close())
    const gateways = gatewaysOf(settings, gateway.url)
    const passed = { ...settings.passed, ...gateways }
    const variables = functionVariables({ ...settings, passed }, aws, resources, {
      indexerUrl,
      url: gateway.url,
    })
    const functions = functionsIn(functionsFolder, variables)
    host = startLambdaHost({ functions, ...(log && { log }) })
    const lambda = host
    ending.defer(() => lambda.close())
    const sources = startEventSources(aws, resources, lambda, log)
    ending.defer(() => sources.close())
    // The lock of the data folder says that no other process lives that could hold a lease.
    if (!settings.awsEndpointUrl) {
      await endLeases(settings, aws, resources.tableName)
      await forgetKept(settings, aws, resources.tableName)
    }
    const schedules = startSchedules(settings, lambda, log)
    ending.defer(() => schedules.close())
    return {
      /** The base URL of the API. */
      url: gateway.url,
      aws,
      resources,
      /** The key with which the platform's login signs user JWTs. */
      userJwtKey: userJwtKeyOf(settings, aws, resources),
      /** The base URL of the indexer with the sample world; `undefined` if the settings name another indexer. */
      sampleIndexerUrl,
      /** The functions with their environments, by name. */
      functions,
      /** The gateways in the links of pictures (D134). */
      gateways,
      /** Ends everything it started. The options are those for the requests in progress. */
      async close(options?: Parameters<ApiGateway['close']>[0]) {
        // Requests in progress can take long, and a call that begins now would be cut off.
        schedules.close()
        await gateway.close(options)
        await ending.disposeAsync()
      },
    }
  } catch (error) {
    await ending.disposeAsync()
    throw error
  }
}

async function reachAws(
  settings: LocalSettings,
  ending: AsyncDisposableStack,
  log: LocalStackOptions['log'],
): Promise<AwsAccess> {
  const { awsEndpointUrl, dataDir, region } = settings
  if (awsEndpointUrl) return await accessElsewhere(awsEndpointUrl, region)
  const endpoint = await startAwsEndpoint({ dataDir, ...(log && { log }) })
  ending.defer(() => endpoint.close())
  return localAccess(endpoint.url, region)
}

/** Starts the indexer of the sample world, unless the settings name another one; returns its base URL. */
async function serveSamples(
  settings: LocalSettings,
  ending: AsyncDisposableStack,
): Promise<string | undefined> {
  if (!hasSampleIndexer(settings)) return undefined
  // Each start forgets what has moved before. Other hashes tell the follower so: to it, the chain was reorganized.
  const indexer = await startIndexerServer({ world: sampleWorld(randomUUID()) })
  ending.defer(() => indexer.close())
  return indexer.url
}

/** The picture at a path, in the place of an IPFS or Arweave gateway that has the sample world. */
const pictureOf = (settings: LocalSettings, { method, path }: PageRequest) =>
  hasSampleIndexer(settings) ? samplePicture(method, path) : undefined

/** The gateways of the settings, or else those of the stack itself with the sample world, and the usual ones without it. */
function gatewaysOf(settings: LocalSettings, url: string): PictureGateways {
  const own = hasSampleIndexer(settings) ? pictureGateways(url) : undefined
  const { IPFS_GATEWAY: ipfs, ARWEAVE_GATEWAY: arweave } = { ...own, ...settings.passed }
  return {
    IPFS_GATEWAY: ipfs ?? IPFS_GATEWAY.default,
    ARWEAVE_GATEWAY: arweave ?? ARWEAVE_GATEWAY.default,
  }
}

const userJwtKeyOf = (
  { passed }: LocalSettings,
  aws: AwsAccess,
  resources: Resources,
): UserJwtKey => ({
  ...aws,
  keyId: resources.userJwtKeyArn,
  issuer: passed.ISSUER,
  audience: passed.USER_JWT_AUDIENCE,
  claims: {
    userId: passed.USER_ID_CLAIM,
    username: passed.USERNAME_CLAIM,
    wallets: passed.WALLETS_CLAIM,
  },
})

/** Puts the function bundles into a folder of this run, which no other run changes or deletes. */
async function ownFunctions(ending: AsyncDisposableStack): Promise<string> {
  const folder = await createRunFolder()
  ending.defer(() => folder.remove())
  await provideFunctionBundles(folder.path)
  return folder.path
}

/** The timeouts of functions without a route, in seconds. */
const timeoutSecondsOf: Readonly<Record<string, number>> = {
  [workerName]: workerTimeoutSeconds,
  [followerName]: followerTimeoutSeconds,
  [delivererName]: delivererTimeoutSeconds,
}

const functionsIn = (
  functionsDir: string,
  env: Record<string, string>,
): Record<string, LambdaFunction> =>
  Object.fromEntries(
    functionNames(everyFeature).map((name) => {
      const timeoutSeconds = timeoutSecondsOf[name] ?? functionTimeoutSeconds
      return [name, { file: bundleFile(functionsDir, name), env, timeoutSeconds }]
    }),
  )

/** The routes of the local gateway: those of every operation. */
export const gatewayRoutes = () =>
  Object.values<Route>(routes).flatMap(({ id, method, paths }) =>
    paths.map((path) => ({ method, path, functionName: functionName(id) })),
  )
