import { mkdir, rm } from 'node:fs/promises'
import { parseArgs } from 'node:util'
import { startLocalStack } from './local-stack.ts'
import { noteRunning, noteStopped } from './running-stack.ts'
import { sampleCommands, sampleProduct } from './sample-product.ts'
import { type LocalSettings, readSettings } from './settings.ts'

/** `npm start`: runs the whole service until it is interrupted. */
async function start(): Promise<void> {
  const { values } = parseArgs({ options: { fresh: { type: 'boolean', default: false } } })
  const settings = readSettings(process.env)
  if (values.fresh) await rm(settings.dataDir, { recursive: true, force: true })
  await mkdir(settings.dataDir, { recursive: true, mode: 0o700 })
  let isReady = false
  const stack = await startLocalStack(settings, {
    // What the set-up itself calls is of no interest to anybody.
    log: (line) => isReady && console.log(line),
  })
  const endedBy = interruption()
  const { url, aws, userJwtKey } = stack
  await noteRunning(settings.dataDir, { pid: process.pid, url, userJwtKey })
  console.log(`The service runs at ${url} (AWS at ${aws.endpoint ?? 'the account'}).`)
  if (hasSamples(settings)) {
    const openChains = settings.passed.ALLOWLIST_CHAINS.split(',')
    const apiKey = await sampleProduct(url, settings.dataDir, openChains)
    const commands = await sampleCommands(stack, apiKey)
    console.log(`\nTry it:\n\n${commands.join('\n\n')}\n\nCtrl-C ends it.\n`)
  }
  isReady = true
  await endedBy
  await noteStopped(settings.dataDir)
  await stack.close()
}

/** The samples are those of the embedded indexer and of keys that this stack can sign with. */
const hasSamples = ({ indexerUrl, alchemyApiKey, passed }: LocalSettings) =>
  !indexerUrl && !alchemyApiKey && !passed.USER_JWT_PUBLIC_KEYS

const interruption = (): Promise<void> =>
  new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
      process.once(signal, () => resolve())
    }
  })

/** What went wrong, in one line for the person at the keyboard. */
function oneLine(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const { code, port, path } = error as NodeJS.ErrnoException & { port?: number }
  if (code === 'EADDRINUSE') {
    return `Port ${port} is taken: stop what listens there, or set PORT to another one.`
  }
  if (code === 'EACCES' || code === 'EPERM' || code === 'EROFS' || code === 'ENOTDIR') {
    return `${path ?? 'A folder'} cannot be used (${code}): set DATA_DIR to a folder that can be written.`
  }
  return error.message.split('\n')[0] ?? 'Something went wrong.'
}

try {
  await start()
  process.exit(0)
} catch (error) {
  console.error(oneLine(error))
  process.exit(1)
}
