import { sampleWorld } from '@player-nfts/local/samples/sample-world'
import { afterEach, expect } from 'vitest'
import { startTestAws } from '../aws/test-aws.ts'
import { startFaultProxy } from '../proxies/fault-proxy.ts'
import type { Received } from '../requests/client.ts'
import { atFileEnd } from '../vitest/at-file-end.ts'
import { startOwnService, startTestIndexer } from './own-service.ts'

/** A service of a test file, whose AWS and indexer can be made to fail until the end of a test. */
export type FaultyService = Awaited<ReturnType<typeof startFaultyService>>

/** The key of the indexer, which no response and no log line may contain. */
export const indexerKey = 'the-key-that-only-the-indexer-may-see'

/** The text in faults, which no response and no log line may contain. */
export const upstreamText = 'upstream explains itself'

/** Starts a service on the sample world, behind proxies for all calls to AWS and the indexer. */
export async function startFaultyService(variables: Record<string, string> = {}) {
  const aws = await startTestAws()
  const { url: target } = await startTestIndexer(sampleWorld(), atFileEnd)
  const indexer = await startFaultProxy({ target }, atFileEnd)
  const stack = await startOwnService(
    {
      AWS_ENDPOINT_URL: aws.proxy.url,
      INDEXER_URL: indexer.url,
      ALCHEMY_API_KEY: indexerKey,
      ...variables,
    },
    atFileEnd,
  )
  afterEach(() => {
    aws.interfere({})
    indexer.interfere({})
  })
  return { ...stack, aws, indexer }
}

/** Expects that no response and no log line so far contains internal information (D2, D5). */
export function expectDiscretion({ log, aws, indexer }: FaultyService, answers: Received[]): void {
  const visible = [...log, ...answers.map(({ text }) => text)].join('\n')
  for (const secret of [indexerKey, upstreamText, aws.proxy.url, indexer.url]) {
    expect(visible).not.toContain(secret)
  }
}
