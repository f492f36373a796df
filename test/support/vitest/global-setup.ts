import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { provideFunctionBundles } from '@player-nfts/local/function-bundles'
import { startLocalStack } from '@player-nfts/local/local-stack'
import { readLocalSettings } from '@player-nfts/local/settings'
import type { TestProject } from 'vitest/node'

const ending = new AsyncDisposableStack()

/** Bundles the functions once for the whole run, and starts the service that the API tests share. */
export async function setup(project: TestProject): Promise<void> {
  const dir = await mkdtemp(join(tmpdir(), 'player-nfts-test-'))
  ending.defer(() => rm(dir, { recursive: true, force: true }))
  const functionsDir = join(dir, 'functions')
  const settings = readLocalSettings({
    PORT: '0',
    DATA_DIR: join(dir, 'data'),
    SWEEP_DELAY_SECONDS: '1',
  })
  const start = async () => {
    const started = await startLocalStack(settings, { functionsDir, log: () => undefined })
    project.provide('functions', started.functions)
    project.provide('target', { url: started.url, userJwtKey: started.userJwtKey })
    return started
  }
  await provideFunctionBundles(functionsDir)
  let stack = await start()
  ending.defer(() => stack.close())
  project.provide('functionsDir', functionsDir)
  // In watch mode, a function may have changed. One that does not compile stays as it was.
  project.onTestsRerun(async () => {
    await provideFunctionBundles(functionsDir).catch((error: Error) => console.error(error.message))
    await stack.close()
    stack = await start()
  })
}

export const teardown = (): Promise<void> => ending.disposeAsync()
