import { functionVariables } from '@player-nfts/local/function-variables'
import type { LambdaFunction } from '@player-nfts/local/lambda/lambda-function'
import { startLambdaHost } from '@player-nfts/local/lambda/lambda-host'
import { sampleWorld } from '@player-nfts/local/samples/sample-world'
import { readLocalSettings } from '@player-nfts/local/settings'
import { afterEach, expect, inject } from 'vitest'
import { workerName } from '../../../infra/bundle/bundle.ts'
import { startTestAws } from '../aws/test-aws.ts'
import type { Fault, ProxiedRequest } from '../proxies/fault-proxy.ts'
import { clientOf } from '../requests/client.ts'
import { atFileEnd } from '../vitest/at-file-end.ts'
import { startContainers, startGateway, withVariables } from './containers.ts'
import { startTestIndexer, withoutUsageWrites } from './own-service.ts'
import { serviceAt } from './service.ts'

/** A service on an AWS that keeps running when containers of its functions are killed. */
export type KillableService = Awaited<ReturnType<typeof startKillableService>>

/** Containers that can be killed; the next call starts new ones. */
function startKillableHost(functions: Record<string, LambdaFunction>) {
  const start = () => startLambdaHost({ functions, log: () => undefined })
  let current = start()
  return {
    invoke: (functionName: string, event: unknown) => current.invoke(functionName, event),
    /** Ends the threads of all containers in the middle of what they do: running calls fail. */
    async kill() {
      const killed = current
      current = start()
      await killed.close()
    },
  }
}

/** Starts a killable service for a test file. Nothing delivers the queue's messages: that is up to the tests. */
export async function startKillableService() {
  const aws = await startTestAws()
  afterEach(() => aws.interfere({}))
  const indexer = await startTestIndexer(sampleWorld(), atFileEnd)
  const settings = readLocalSettings(withoutUsageWrites)
  const access = { ...aws.access, endpoint: aws.proxy.url }
  const env = functionVariables(settings, access, aws.resources, {
    ...{ indexerUrl: indexer.url, url: 'http://127.0.0.1' },
  })
  const functions = withVariables(inject('functions'), env)
  const host = startKillableHost(functions)
  atFileEnd(host.kill)
  const url = await startGateway(startContainers(functions))
  const doomed = { host, call: clientOf(await startGateway(host)) }
  const userJwtKey = {
    ...aws.access,
    keyId: aws.resources.userJwtKeyArn,
    issuer: settings.passed.ISSUER,
    audience: settings.passed.USER_JWT_AUDIENCE,
  }
  return {
    ...serviceAt({ url, userJwtKey }),
    aws,
    /** The same service in other containers, which can be killed. */
    doomed,
    /** Delivers a message to the worker in those containers, and says whether it was processed. */
    async deliver(body: string) {
      const Records = [{ messageId: 'message', body }]
      const result = await host.invoke(workerName, { Records })
      return result.ok && JSON.parse(result.payload).batchItemFailures.length === 0
    },
  }
}

/** What the killed process does, and what must hold after `completed` of its writes were carried out. */
export interface Interruption {
  act: () => Promise<unknown>
  afterwards: (completed: number) => Promise<unknown>
}

/**
 * Repeats `act`, each time from a new start, and kills its process after none, one, two, … of its writes,
 * until it completes with this number of writes. A killed process has received no response to its last
 * write and starts no other write, so a kill before a write is the same as a kill after the previous
 * write.
 */
export async function killAfterEachWrite(
  service: KillableService,
  writes: number,
  prepare: () => Promise<Interruption>,
): Promise<void> {
  for (let completed = 0; ; completed += 1) {
    const { act, afterwards } = await prepare()
    const isKilled = killAfter(completed, service)
    await act()
    service.aws.interfere({})
    if (!isKilled()) return expect(completed - 1).toBe(writes)
    await afterwards(completed)
  }
}

const writes = new Set(['PutItem', 'UpdateItem', 'DeleteItem', 'BatchWriteItem', 'SendMessage'])
const isWrite = ({ action }: ProxiedRequest) => writes.has(action)

/** Lets `count` writes through, and then kills the process. */
export function killAfter(count: number, { aws, doomed }: KillableService): () => boolean {
  let begun = 0
  let completed = 0
  let isKilled = false
  const kill = async (): Promise<Fault> => {
    isKilled = true
    await doomed.host.kill()
    return 'drop'
  }
  aws.interfere({
    onRequest(request) {
      if (!isWrite(request)) return undefined
      begun += 1
      if (begun <= count) return undefined
      return count === 0 ? kill() : 'hang'
    },
    onResponse(request) {
      if (!isWrite(request)) return undefined
      completed += 1
      return completed === count ? kill() : undefined
    },
  })
  return () => isKilled
}
