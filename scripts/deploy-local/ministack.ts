import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, open, readFile } from 'node:fs/promises'
import { devNull } from 'node:os'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { signalGroup } from './run-command.ts'
import { reachEmulator } from './this-machine.ts'

/** A running AWS emulator. */
export interface Ministack {
  account: string
  /** Its endpoint, with credentials of the account's root user. */
  aws: {
    region: string
    endpoint: string
    credentials: { accessKeyId: string; secretAccessKey: string }
  }
  /** The certificate to trust, as PEM. */
  certificate: string
  /** Environment variables with which AWS tools use only the emulator. */
  environment: NodeJS.ProcessEnv
  /** Stops the emulator and the functions that it has started, and waits until their processes have ended. */
  close(): Promise<void>
}

const account = '123456789012'
const region = 'us-east-1'
const credentials = { accessKeyId: 'deployer', secretAccessKey: 'deployer' }
const secondsToStart = 60
const secondsToEnd = 20

/**
 * Starts MiniStack on a free port of 127.0.0.1. It writes only under `dir`, and enforces the policies of
 * roles, queues and keys. With `httpPort`, serves HTTP without TLS on that port and enforces no policy.
 */
export async function startMinistack(
  python: string,
  dir: string,
  httpPort?: number,
): Promise<Ministack> {
  const stateDir = join(dir, 'ministack')
  await mkdir(join(stateDir, 'tmp'), { recursive: true })
  const logFile = join(dir, 'ministack.log')
  const log = await open(logFile, 'w')
  const child = spawn(python, [join(import.meta.dirname, 'ministack-server.py')], {
    env: {
      ...serverEnvironment(stateDir),
      ...(httpPort && { HTTP_PORT: `${httpPort}`, AUTH: 'false' }),
    },
    cwd: stateDir,
    // A process group of its own, which includes the functions that it starts.
    detached: true,
    stdio: ['pipe', 'pipe', log.fd],
  })
  const close = async () => {
    await killGroup(child)
    await log.close()
  }
  try {
    const endpoint = `${httpPort ? 'http' : 'https'}://127.0.0.1:${await firstLine(child)}`
    const certificateFile = join(stateDir, 'certificate.pem')
    const certificate = await readFile(certificateFile, 'utf8')
    reachEmulator(certificate)
    await untilHealthy(endpoint, httpPort ? 'disabled' : 'enabled')
    const aws = { region, endpoint, credentials }
    const environment = clientEnvironment(endpoint, certificateFile)
    return { account, aws, certificate, environment, close }
  } catch (error) {
    await close()
    const printed = await readFile(logFile, 'utf8')
    throw new Error(`MiniStack does not start (${(error as Error).message}):\n${printed}`)
  }
}

/** The whole environment of MiniStack, which passes its environment to the functions. */
const serverEnvironment = (stateDir: string) => ({
  // The functions run on this `node`.
  PATH: `${dirname(process.execPath)}:/usr/local/bin:/usr/bin:/bin`,
  HOME: stateDir,
  TMPDIR: join(stateDir, 'tmp'),
  STATE_DIR: stateDir,
  S3_DATA_DIR: join(stateDir, 's3'),
  MINISTACK_ACCOUNT_ID: account,
  MINISTACK_REGION: region,
  AWS_ACCESS_KEY_ID: credentials.accessKeyId,
  AWS_SECRET_ACCESS_KEY: credentials.secretAccessKey,
  AUTH: 'true',
  IOT_MTLS_ENABLED: '0',
  SFTP_ENABLED: '0',
  // As in an account. By default, it follows from the memory of this machine.
  LAMBDA_ACCOUNT_CONCURRENCY: '1000',
})

const clientEnvironment = (endpoint: string, certificateFile: string): NodeJS.ProcessEnv => ({
  ...Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('AWS_'))),
  // Without the AWS profiles of the user.
  AWS_CONFIG_FILE: devNull,
  AWS_SHARED_CREDENTIALS_FILE: devNull,
  AWS_ENDPOINT_URL: endpoint,
  AWS_ACCESS_KEY_ID: credentials.accessKeyId,
  AWS_SECRET_ACCESS_KEY: credentials.secretAccessKey,
  AWS_REGION: region,
  AWS_DEFAULT_REGION: region,
  AWS_CA_BUNDLE: certificateFile,
  NO_PROXY: '127.0.0.1',
  no_proxy: '127.0.0.1',
})

async function firstLine({ stdout }: ChildProcess): Promise<string> {
  const lines = createInterface({ input: stdout as NonNullable<typeof stdout> })
  const ended = once(lines, 'close').then(() => Promise.reject(new Error('the process ended')))
  const late = AbortSignal.timeout(secondsToStart * 1000)
  const [line] = await Promise.race([once(lines, 'line', { signal: late }), ended])
  return line
}

async function untilHealthy(endpoint: string, auth: 'enabled' | 'disabled'): Promise<void> {
  const until = Date.now() + secondsToStart * 1000
  for (;;) {
    const health = await fetch(`${endpoint}/_ministack/health`).then(
      (response) => response.json() as Promise<{ auth: string }>,
      (error) => error as Error,
    )
    if (!(health instanceof Error)) {
      if (health.auth === auth) return
      throw new Error(`its enforcement of policies is ${health.auth}`)
    }
    if (Date.now() > until) throw new Error(`it does not respond: ${health.message}`)
    await sleep(100)
  }
}

async function killGroup(child: ChildProcess): Promise<void> {
  const exited = child.exitCode !== null || child.signalCode !== null || once(child, 'exit')
  signalGroup(child, 'SIGKILL')
  await exited
  const until = Date.now() + secondsToEnd * 1000
  while (hasGroup(child)) {
    if (Date.now() > until) throw new Error(`processes of MiniStack still run (group ${child.pid})`)
    await sleep(20)
  }
}

function hasGroup({ pid = 0 }: ChildProcess): boolean {
  try {
    return process.kill(-pid, 0)
  } catch {
    return false
  }
}
