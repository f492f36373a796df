import { type ChildProcess, spawn } from 'node:child_process'

export interface Command {
  /** What it does, for the message when it fails: "cdk deploy". */
  name: string
  file: string
  args: readonly string[]
  /** Otherwise that of this process. */
  env?: NodeJS.ProcessEnv
  cwd?: string
  /** It is ended, and has failed, when it takes longer. */
  seconds: number
}

const running = new Set<ChildProcess>()

/**
 * Runs a command to its end and answers what it printed. Rejects if it fails or takes too long; the
 * message holds all that it printed, to either output.
 */
export function runCommand({ name, file, args, env, cwd, seconds }: Command): Promise<string> {
  // A group of its own, so that what it starts ends with it.
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
    fail(`had not ended after ${seconds} s`)
    endGroup(child, 'SIGKILL')
  }, seconds * 1000)
  child.on('error', (error) => fail(`does not start (${error.message})`))
  child.on('close', (code, signal) => {
    if (code === 0) resolve(output)
    else fail(signal ? `was ended by ${signal}` : `failed with exit code ${code}`)
  })
  return promise.finally(() => {
    clearTimeout(timer)
    running.delete(child)
  })
}

/** Ends all commands that run, with what they have started. */
export function endCommands(): void {
  for (const child of running) endGroup(child, 'SIGKILL')
}

/** Sends a signal to a process that leads a group, and to the whole group. */
export function endGroup({ pid }: ChildProcess, signal: NodeJS.Signals): void {
  try {
    if (pid !== undefined) process.kill(-pid, signal)
  } catch {
    // It has ended already.
  }
}
