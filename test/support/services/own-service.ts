import { type IndexerServer, startIndexerServer } from '@player-nfts/local/indexer/indexer-server'
import type { World } from '@player-nfts/local/indexer/world'
import { startLocalStack } from '@player-nfts/local/local-stack'
import { readLocalSettings } from '@player-nfts/local/settings'
import { inject, onTestFinished } from 'vitest'
import { newFolder } from '../command-fixture.ts'
import type { OnEnd } from '../vitest/at-file-end.ts'
import { serviceAt } from './service.ts'

/** A service of one test or test file, and its local stack. `log`: the output of the functions, line by line. */
export type OwnService = Awaited<ReturnType<typeof startOwnService>>

/** Containers write no usage for an hour, so that tests that count requests do not depend on the time. */
export const withoutUsageWrites = { USAGE_DELAY_SECONDS: '3600' }

/**
 * Starts a service with these settings, from the functions bundled for this run. Ends with the test, or,
 * when called in a hook, with `onEnd`.
 */
export async function startOwnService(
  variables: Record<string, string> = {},
  onEnd: OnEnd = onTestFinished,
) {
  const settings = readLocalSettings({
    PORT: '0',
    DATA_DIR: newFolder(onEnd),
    ...withoutUsageWrites,
    ...variables,
  })
  const log: string[] = []
  const stack = await startLocalStack(settings, {
    functionsDir: inject('functionsDir'),
    log: (line) => log.push(line),
  })
  onEnd(() => stack.close())
  return { ...serviceAt(stack), stack, log }
}

/** Starts an indexer over a world. Ends with the test, or with `onEnd`. */
export async function startTestIndexer(
  world: World,
  onEnd: OnEnd = onTestFinished,
): Promise<IndexerServer> {
  const indexer = await startIndexerServer({ world })
  onEnd(() => indexer.close())
  return indexer
}
