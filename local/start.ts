import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { emptyDataFolder, makeDataFolder } from './data-folder.ts'
import { helpIfAsked, settingLines } from './help.ts'
import { type LocalStack, startLocalStack } from './local-stack.ts'
import { type StackPages, stackPages } from './pages/stack-pages.ts'
import { firstMinute, indexerLine } from './real-chain/first-minute.ts'
import { noteRunning, noteStopped } from './running-stack.ts'
import { writeSampleUsage, writeSampleUsers } from './samples/sample-items.ts'
import { mintCommand, sampleCommands, sampleProduct } from './samples/sample-product.ts'
import { sampleTable } from './samples/sample-table.ts'
import {
  hasSamples,
  type LocalSettings,
  localSettingTable,
  readLocalSettings,
  withSampleDefaults,
} from './settings.ts'
import { handleInterruption } from './terminal/interruption.ts'
import {
  failureLine,
  type LogFile,
  openLogFile,
  problemLinks,
  requestLine,
} from './terminal/log.ts'

/** The longest time for requests in progress to end, in seconds: more than any function runs. */
const patienceSeconds = 35

/** `npm start`: runs the whole service until it is interrupted. */
async function start(): Promise<void> {
  const { values } = parseArgs({
    options: {
      fresh: { type: 'boolean', default: false },
      port: { type: 'string' },
      'watch-dashboard': { type: 'boolean', default: false },
    },
  })
  const { PORT } = process.env
  const variables = { ...process.env, PORT: values.port ?? PORT }
  const settings = withSampleDefaults(readLocalSettings(variables))
  // From here on Ctrl-C closes everything that was started.
  const interruption = handleInterruption()
  await makeDataFolder(settings.dataDir)
  if (values.fresh) await emptyDataFolder(settings.dataDir)
  const log = openLogFile(join(settings.dataDir, 'service.log'), console.error)
  const terminal = terminalOf(log)
  const pages = stackPages(settings, { isWatching: values['watch-dashboard'] })
  const starting = startLocalStack(settings, { ...terminal, page: pages.page })
  const stack = await Promise.race([starting, interruption.requested])
  // The interruption came before the stack was complete.
  if (!stack) return
  const checking = firstMinute(settings, stack.url)
  await Promise.race([introduce(stack, settings, log, pages), interruption.requested])
  terminal.url = stack.url
  // Nothing waits for the check, and an end that comes first ends it too.
  void Promise.race([checking, interruption.requested]).then((lines) => lines && console.log(lines))
  await interruption.requested
  await noteStopped(settings.dataDir)
  const waiting = setTimeout(() => {
    console.log('Waiting for requests in progress. Ctrl-C does not wait for them.')
  }, 2_500)
  await stack.close({ patienceSeconds, cut: interruption.repeated })
  clearTimeout(waiting)
}

/**
 * What the terminal shows of requests: a line for each, the reasons of failures, and once for each problem where it is explained.
 * The log file has all.
 */
function terminalOf(file: LogFile) {
  const linkOf = problemLinks()
  const links: string[] = []
  const showLinks = () => {
    for (const link of links.splice(0)) console.log(link)
  }
  const terminal = {
    /** The address of the service, when it is ready: the requests of the setup itself are not worth a line. */
    url: '',
    log(line: string) {
      file.write(line)
      const link = terminal.url && linkOf(line, terminal.url)
      if (link) links.push(link)
      const failure = failureLine(line, new Date())
      if (failure === undefined) return
      console.log(failure)
      showLinks()
    },
    served(request: Parameters<typeof requestLine>[0]) {
      // Each page that is open in npm run dev asks every second.
      if (request.path === '/dev/reload' || !terminal.url) return
      console.log(requestLine(request, new Date()))
      showLinks()
    },
  }
  return terminal
}

/** Prints the address of the service, the commands to try and the sample world. */
async function introduce(
  stack: LocalStack,
  settings: LocalSettings,
  log: LogFile,
  pages: StackPages,
): Promise<void> {
  const { url, aws, userJwtKey, sampleIndexerUrl } = stack
  const { credentials, ...keyElsewhere } = userJwtKey
  const other = await noteRunning(settings.dataDir, {
    pid: process.pid,
    url,
    userJwtKey: settings.awsEndpointUrl ? keyElsewhere : userJwtKey,
    variables: withoutCredentials(stack),
    ...(sampleIndexerUrl && { sampleIndexerUrl }),
  })
  pages.complete(stack)
  console.log(`Dashboard: ${url}/`)
  console.log(`Sign-in of players with wallets: ${url}/connect`)
  console.log(`The service runs at ${url} (AWS at ${aws.endpoint ?? 'the account'}).`)
  console.log(`Docs: ${url}/docs`)
  console.log(`Full log: ${log.path}`)
  if (settings.alchemyApiKey) console.log(indexerLine(settings))
  if (other) {
    console.log(
      `npm run user-token signs for ${other.url}, which runs on the same folder: set DATA_DIR to another one.`,
    )
  }
  if (hasSamples(settings)) await introduceSamples(stack, settings, pages)
  console.log('\nCtrl-C ends it.\n')
}

async function introduceSamples(
  stack: LocalStack,
  settings: LocalSettings,
  pages: StackPages,
): Promise<void> {
  const openChains = settings.passed.ALLOWLIST_CHAINS.split(',').map((name) => name.trim())
  const product = await sampleProduct(stack.url, settings.dataDir, openChains, (productId) =>
    writeSampleUsage(stack, productId, Date.now()),
  )
  await writeSampleUsers(stack, Date.now())
  pages.complete(stack, product)
  const commands = await sampleCommands(stack, product.apiKey)
  const lines = [
    '',
    ...sampleTable(settings.dataDir),
    '',
    'Try it:',
    ...commands.flatMap((line) => ['', line]),
  ]
  const minting = [
    '',
    'Mint an NFT to the same player, and run the first of these commands again after 15 seconds:',
    '',
    mintCommand(settings.dataDir),
  ]
  console.log([...lines, ...minting].join('\n'))
}

const withoutCredentials = ({ functions }: LocalStack): Record<string, string> =>
  Object.fromEntries(
    Object.entries(Object.values(functions)[0]?.env ?? {}).filter(
      ([name]) => name === 'AWS_ENDPOINT_URL' || !name.startsWith('AWS_'),
    ),
  )

/** The error codes of the operating system for a folder or file that cannot be used. */
const folderFaults = [
  'EACCES',
  'EEXIST',
  'EISDIR',
  'ELOOP',
  'ENAMETOOLONG',
  'ENOENT',
  'ENOSPC',
  'ENOTDIR',
  'EPERM',
  'EROFS',
]

/** Describes an error in one line for the person at the keyboard. */
function oneLine(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const { code = '', syscall, port, path } = error as NodeJS.ErrnoException & { port?: number }
  if (code === 'EADDRINUSE') {
    return `Port ${port} is in use by another process: stop what listens there, or set PORT to another port.`
  }
  if (syscall === 'listen') {
    return `Port ${port} cannot be listened on (${code}): set PORT to another port.`
  }
  if (folderFaults.includes(code)) {
    return `${path ?? 'A folder'} cannot be used (${code}): set DATA_DIR to a folder that can be written.`
  }
  return error.message.split('\n')[0] || `Something went wrong (${code || error.name}).`
}

helpIfAsked([
  'Usage: npm start [-- [--fresh] [--port <port>]]',
  '',
  'Runs the whole service on 127.0.0.1 until Ctrl-C. Needs no AWS account.',
  '',
  '  --fresh        empties the data folder first',
  '  --port <port>  the port of the API, in place of the variable PORT',
  '  --help         prints this text',
  '',
  'Environment variables, with their defaults:',
  '',
  ...settingLines(localSettingTable),
])
// A reader that ends, as in `npm start | head`, must not end the service.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined)
try {
  await start()
  process.exit(0)
} catch (error) {
  console.error(oneLine(error))
  process.exit(1)
}
