import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { noteRunning, type RunningStack } from '@player-nfts/local/running-stack'
import { expect, onTestFinished } from 'vitest'
import { atFileEnd, type OnEnd } from './vitest/at-file-end.ts'

type Running = ReturnType<typeof run>

/** The variables without which no program starts: PATH, and on Windows the folders of the system and of the user. */
const basicVariables = ['PATH', 'SystemRoot', 'TEMP', 'USERPROFILE', 'APPDATA', 'LOCALAPPDATA']

const compileCache = join(import.meta.dirname, '../../.build/compile-cache')

/**
 * Starts a script of this project with only the given environment variables, and the basic ones. `output`: returns the standard
 * output so far.
 */
export function run(
  script: string,
  args: readonly string[],
  variables: Record<string, string> = {},
  onEnd: OnEnd = onTestFinished,
) {
  const file = join(import.meta.dirname, '../..', script)
  const basic = {
    ...Object.fromEntries(basicVariables.map((name) => [name, process.env[name]])),
    // Without it, each process compiles the same modules again.
    NODE_COMPILE_CACHE: compileCache,
  }
  const child = spawn(process.execPath, [file, ...args], { env: { ...basic, ...variables } })
  onEnd(() => {
    child.kill('SIGKILL')
  })
  let [stdout, stderr] = ['', '']
  child.stdout.setEncoding('utf8').on('data', (text) => {
    stdout += text
  })
  child.stderr.setEncoding('utf8').on('data', (text) => {
    stderr += text
  })
  const ended = once(child, 'close').then(([code]) => {
    return { code: code as number | null, stdout, stderr }
  })
  return { child, output: () => stdout, ended }
}

/** The one line with which a command fails. */
export async function failureOf({ ended }: Running): Promise<string> {
  const { code, stdout, stderr } = await ended
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
  expect(stderr).toMatch(/^[^\n]+\n$/)
  return stderr.trim()
}

/** Creates a temporary folder for the test. */
export function newFolder(onEnd: OnEnd = onTestFinished): string {
  const folder = mkdtempSync(join(tmpdir(), 'player-nfts-command-'))
  onEnd(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** The service as `npm start` runs it. */
export type StartedService = Awaited<ReturnType<typeof startService>>

/**
 * Runs `npm start`, by default on a free port and without following chains, and waits until it is ready. Rejects with its
 * standard error if it ends before. `commands`: the curl commands that it prints.
 */
export async function startService(
  variables: Record<string, string>,
  args: readonly string[] = [],
  onEnd: OnEnd = onTestFinished,
) {
  const defaults = { PORT: '0', FOLLOWED_CHAINS: 'none' }
  const running = run('local/start.ts', args, { ...defaults, ...variables }, onEnd)
  while (!running.output().includes('Ctrl-C ends it.')) {
    if (running.child.exitCode !== null) throw new Error((await running.ended).stderr)
    await sleep(20)
  }
  const [, url = ''] = running.output().match(/The service runs at (\S+)/) ?? []
  const commands: string[] = running.output().match(/^curl .*$/gm) ?? []
  return { ...running, url, commands }
}

/** Creates the data folder of a stack that runs, for the tests of a file, with variables of its functions. */
export async function folderOf(
  { url, userJwtKey }: Pick<RunningStack, 'url' | 'userJwtKey'>,
  variables: Record<string, string> = {},
): Promise<string> {
  const folder = newFolder(atFileEnd)
  await noteRunning(folder, { pid: process.pid, url, userJwtKey, variables })
  return folder
}

/** Ends a command with a signal, and returns its result. */
export async function end({ child, ended }: Running, signal: NodeJS.Signals) {
  child.kill(signal)
  return await ended
}
