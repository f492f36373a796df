import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { provideFunctionBundles } from '../../../local/function-bundles.ts'
import { startLocalStack } from '../../../local/local-stack.ts'
import { readLocalSettings } from '../../../local/settings.ts'

const ending = new AsyncDisposableStack()

/** Bundles the functions once for the whole run, and starts the service that the API tests share. */
export async function setup(project: TestProject): Promise<void> {
  const dir = await mkdtemp(join(tmpdir(), 'player-nfts-test-'))
  ending.defer(() => rm(dir, { recursive: true, force: true }))
  const functionsDir = join(dir, 'functions')
  await provideFunctionBundles(functionsDir)
  const settings = readLocalSettings({
    PORT: '0',
    DATA_DIR: join(dir, 'data'),
    SWEEP_DELAY_SECONDS: '1',
  })
  const stack = await startLocalStack(settings, { functionsDir, log: () => undefined })
  ending.defer(() => stack.close())
  project.provide('functionsDir', functionsDir)
  project.provide('functions', stack.functions)
  project.provide('target', { url: stack.url, userJwtKey: stack.userJwtKey })
}

export const teardown = (): Promise<void> => ending.disposeAsync()
