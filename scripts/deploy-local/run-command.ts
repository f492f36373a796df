import { type ChildProcess, spawn } from 'node:child_process'

export interface Command {
  /** The name for error messages, for example "cdk deploy". */
  name: string
  file: string
  args: readonly string[]
  /** By default, the environment of this process. */
  env?: NodeJS.ProcessEnv
  cwd?: string
  /** The timeout, after which the command is killed and has failed. */
  seconds: number
}

const running = new Set<ChildProcess>()
let isEnding = false

/**
 * Runs a command and returns its output (standard output and standard error). Rejects with a message that
 * contains the output if the command fails or exceeds its timeout, and without it after {@link killCommands}.
 */
export function runCommand({ name, file, args, env, cwd, seconds }: Command): Promise<string> {
  if (isEnding) return Promise.reject(new Error(`${name} was not started: the run is ending`))
  // A process group of its own, so that its child processes can be killed with it.
  const child = spawn(file, args, { env, cwd, detached: true, stdio: ['ignore', 'pipe', 'pipe'] })
  running.add(child)
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text
    })
  }
  const { promise, resolve, reject } = Promise.withResolvers<string>()
  const fail = (why: string) => reject(new Error(`${name} ${why}:\n${output.trim()}`))
  const timer = setTimeout(() => {
    fail(`timed out after ${seconds} s`)
    signalGroup(child, 'SIGKILL')
  }, seconds * 1000)
  child.on('error', (error) => fail(`does not start (${error.message})`))
  child.on('close', (code, signal) => {
    if (code === 0) resolve(output)
    else fail(signal ? `was killed by ${signal}` : `failed with exit code ${code}`)
  })
  return promise.finally(() => {
    clearTimeout(timer)
    running.delete(child)
  })
}

/** Kills all running commands and their child processes, and lets no further command start. */
export function killCommands(): void {
  isEnding = true
  for (const child of running) signalGroup(child, 'SIGKILL')
}

/** Sends a signal to the process group of a process that leads it. */
export function signalGroup({ pid }: ChildProcess, signal: NodeJS.Signals): void {
  try {
    if (pid !== undefined) process.kill(-pid, signal)
  } catch {
    // The group has already ended.
  }
}
