import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { RunningStack } from '@player-nfts/local/running-stack'
import { startMinistack } from '../../scripts/deploy-local/ministack.ts'
import { freePort } from '../support/services/free-port.ts'
import { serviceAt, type Target } from '../support/services/service.ts'
import { expectKept, newBelongings } from './survival.ts'
import type { Tally } from './tally.ts'

const root = join(import.meta.dirname, '../..')
const secondsToStart = 120

/**
 * Runs `npm start` with these variables on a free port. `log` receives its output, and `close` ends it as Ctrl-C does.
 */
export async function npmStart(
  dataDir: string,
  variables: Record<string, string>,
  log: (line: string) => void,
) {
  const child = spawn(process.execPath, [join(root, 'local/start.ts')], {
    cwd: root,
    env: { ...process.env, PORT: '0', DATA_DIR: dataDir, ...variables },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = once(child, 'exit')
  const close = async () => {
    child.kill('SIGINT')
    await ended
  }
  const ready = Promise.withResolvers<void>()
  createInterface({ input: child.stdout }).on('line', (line) => {
    log(line)
    // The sample player has signed in, so KMS works.
    if (line.includes('Ctrl-C ends it')) ready.resolve()
  })
  const late = setTimeout(
    () => ready.reject(new Error('npm start takes too long')),
    secondsToStart * 1000,
  )
  void ended.then(() => ready.reject(new Error('npm start has ended')))
  try {
    await ready.promise
  } catch (error) {
    await close()
    throw error
  } finally {
    clearTimeout(late)
  }
  const note: RunningStack = JSON.parse(await readFile(join(dataDir, 'running.json'), 'utf8'))
  const credentials = { accessKeyId: 'any', secretAccessKey: 'any' }
  const target: Target = { url: note.url, userJwtKey: { credentials, ...note.userJwtKey } }
  return { target, dataDir, close }
}

/** `npm start` uses the AWS of an emulator in place of its own (AWS_ENDPOINT_URL), and finds its data there again. */
export async function checkNpmStart(
  { python, dir }: { python: string; dir: string },
  tally: Tally,
): Promise<void> {
  await tally.check('npm start on the emulator keeps its data over a restart', async () => {
    await using ending = new AsyncDisposableStack()
    const ministack = await startMinistack(python, join(dir, 'of-npm-start'), await freePort())
    ending.defer(() => ministack.close())
    const dataDir = join(dir, 'npm-start')
    // By default, links to pictures have the port of the sample indexer.
    const links = { IPFS_GATEWAY: 'https://ipfs.example/', ARWEAVE_GATEWAY: 'https://ar.example/' }
    const variables = { AWS_ENDPOINT_URL: ministack.aws.endpoint, ...links }
    const start = () => npmStart(dataDir, variables, () => undefined)
    const first = await start()
    const belongings = await newBelongings(serviceAt(first.target)).finally(() => first.close())
    const second = await start()
    ending.defer(() => second.close())
    await expectKept(serviceAt(second.target), belongings)
  })
}
