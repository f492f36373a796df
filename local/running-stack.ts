import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { UserJwtKey } from './user-jwt.ts'

/** What other commands need to know of a local stack that runs; kept in its data folder meanwhile. */
export interface RunningStack {
  pid: number
  url: string
  /** Without credentials where AWS is elsewhere: those of an account are not written down. */
  userJwtKey: Omit<UserJwtKey, 'credentials'> & Partial<Pick<UserJwtKey, 'credentials'>>
}

const fileOf = (dataDir: string) => join(dataDir, 'running.json')

/** Notes that a stack runs on this folder; only its owner may read the note. */
export const noteRunning = (dataDir: string, stack: RunningStack): Promise<void> =>
  writeFile(fileOf(dataDir), JSON.stringify(stack), { mode: 0o600 })

/** Takes back the note of this process. */
export async function noteStopped(dataDir: string): Promise<void> {
  const stack = await readNote(dataDir)
  if (stack?.pid === process.pid) await rm(fileOf(dataDir), { force: true })
}

/** The stack that runs on this folder; `undefined` if none does, or its process died. */
export async function runningStack(dataDir: string): Promise<RunningStack | undefined> {
  const stack = await readNote(dataDir)
  return stack && isRunning(stack.pid) ? stack : undefined
}

async function readNote(dataDir: string): Promise<RunningStack | undefined> {
  try {
    return JSON.parse(await readFile(fileOf(dataDir), 'utf8'))
  } catch {
    return undefined
  }
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}
