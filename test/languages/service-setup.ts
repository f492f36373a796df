import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { npmStart } from '../deployed/npm-start.ts'

const ending = new AsyncDisposableStack()

/** Runs `npm start` with a data folder of its own, as the service that the tests share. */
export async function setup(project: TestProject): Promise<void> {
  const dataDir = await mkdtemp(join(tmpdir(), 'player-nfts-languages-'))
  ending.defer(() => rm(dataDir, { recursive: true, force: true }))
  const service = await npmStart(dataDir, { FOLLOWED_CHAINS: 'none' }, () => undefined)
  ending.defer(() => service.close())
  project.provide('target', service.target)
}

export const teardown = (): Promise<void> => ending.disposeAsync()
