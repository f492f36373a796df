import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { atFileEnd } from '../support/vitest/at-file-end.ts'

/** A command with its arguments. */
export type Command = readonly [string, ...string[]]

/** Whether a command is in the PATH. */
export const hasCommand = (name: string): boolean =>
  (process.env['PATH'] ?? '').split(delimiter).some((folder) => existsSync(join(folder, name)))

/** Runs a command in a folder to its end, behind everything else on this machine. Returns its standard output, or rejects with all output. */
export function succeed(
  [command, ...args]: Command,
  cwd: string,
  variables: Record<string, string> = {},
): Promise<string> {
  const options = { cwd, env: { ...process.env, ...variables }, maxBuffer: 64 * 1_048_576 }
  return new Promise((resolve, reject) => {
    execFile('nice', ['-n', '19', command, ...args], options, (error, stdout, stderr) => {
      if (error) reject(new Error(`${command} ${args.join(' ')} fails:\n${stdout}${stderr}`))
      else resolve(stdout)
    })
  })
}

/** A server in a process of its own. */
export interface StartedServer {
  url: string
  /** What it has written to standard error. */
  log(): string
}

/** Starts a server, with all processes that its command starts, until the end of the file. */
export async function startServer(
  [command, ...args]: Command,
  cwd: string,
  variables: Record<string, string>,
): Promise<StartedServer> {
  // Another test file of the process may have set those of its own service.
  const { ISSUER, PLAYER_TOKEN_AUDIENCE, ...inherited } = process.env
  const env = { ...inherited, ...variables }
  const child = spawn(command, args, {
    cwd,
    env,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  atFileEnd(() => endGroup(child))
  let [output, log] = ['', '']
  child.stdout.setEncoding('utf8').on('data', (text) => {
    output += text
  })
  child.stderr.setEncoding('utf8').on('data', (text) => {
    log += text
  })
  for (;;) {
    const [, url] = output.match(/The game server runs at (http:\S+)/) ?? []
    if (url) return { url, log: () => log }
    if (child.exitCode !== null) throw new Error(`${command} has ended:\n${output}${log}`)
    await sleep(20)
  }
}

function endGroup({ pid, exitCode }: ChildProcess): void {
  if (pid === undefined || exitCode !== null) return
  process.kill(-pid, 'SIGKILL')
}
