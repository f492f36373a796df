import { parseArgs } from 'node:util'
import { emptyDataFolder, makeDataFolder } from './data-folder.ts'
import { type LocalStack, startLocalStack } from './local-stack.ts'
import { noteRunning, noteStopped } from './running-stack.ts'
import { sampleCommands, sampleProduct } from './samples/sample-product.ts'
import { type LocalSettings, readLocalSettings } from './settings.ts'

/** `npm start`: runs the whole service until it is interrupted. */
async function start(): Promise<void> {
  const { values } = parseArgs({ options: { fresh: { type: 'boolean', default: false } } })
  const settings = readLocalSettings(process.env)
  // From here on Ctrl-C closes everything that was started.
  const interrupted = interruption()
  await makeDataFolder(settings.dataDir)
  if (values.fresh) await emptyDataFolder(settings.dataDir)
  let isReady = false
  const starting = startLocalStack(settings, {
    // The requests of the setup itself are not worth a log line.
    log: (line) => isReady && console.log(line),
  })
  const stack = await Promise.race([starting, interrupted])
  // The interruption came before the stack was complete.
  if (!stack) return
  await Promise.race([introduce(stack, settings), interrupted])
  isReady = true
  await interrupted
  await noteStopped(settings.dataDir)
  await stack.close()
}

/** Prints the address of the service and the commands to try. */
async function introduce(stack: LocalStack, settings: LocalSettings): Promise<void> {
  const { url, aws, userJwtKey } = stack
  const { credentials, ...keyElsewhere } = userJwtKey
  await noteRunning(settings.dataDir, {
    pid: process.pid,
    url,
    userJwtKey: settings.awsEndpointUrl ? keyElsewhere : userJwtKey,
  })
  console.log(`The service runs at ${url} (AWS at ${aws.endpoint ?? 'the account'}).`)
  if (!hasSamples(settings)) return
  const openChains = settings.passed.ALLOWLIST_CHAINS.split(',').map((name) => name.trim())
  const apiKey = await sampleProduct(url, settings.dataDir, openChains)
  const commands = await sampleCommands(stack, apiKey)
  console.log(`\nTry it:\n\n${commands.join('\n\n')}\n\nCtrl-C ends it.\n`)
}

/** The samples need the embedded indexer, and a user JWT key that this stack can sign with. */
const hasSamples = ({ indexerUrl, alchemyApiKey, passed }: LocalSettings) =>
  !indexerUrl && !alchemyApiKey && !passed.USER_JWT_PUBLIC_KEYS

/** Resolves at the first signal to end. The second signal has its default effect. */
const interruption = (): Promise<void> =>
  new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
      process.once(signal, () => resolve())
    }
  })

/** The error codes of the operating system for a folder or file that cannot be used. */
const folderFaults = ['EACCES', 'EEXIST', 'EISDIR', 'ENAMETOOLONG', 'ENOTDIR', 'EPERM', 'EROFS']

/** Describes an error in one line for the person at the keyboard. */
function oneLine(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const { code = '', syscall, port, path } = error as NodeJS.ErrnoException & { port?: number }
  if (code === 'EADDRINUSE') {
    return `Port ${port} is taken: stop what listens there, or set PORT to another one.`
  }
  if (syscall === 'listen') {
    return `Port ${port} cannot be listened on (${code}): set PORT to another one.`
  }
  if (folderFaults.includes(code)) {
    return `${path ?? 'A folder'} cannot be used (${code}): set DATA_DIR to a folder that can be written.`
  }
  return error.message.split('\n')[0] || `Something went wrong (${code || error.name}).`
}

try {
  await start()
  process.exit(0)
} catch (error) {
  console.error(oneLine(error))
  process.exit(1)
}
