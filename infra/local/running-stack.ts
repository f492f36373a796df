import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { UserJwtKey } from './user-jwt.ts'

/** What other commands need to know of a local stack that runs; kept in its data folder meanwhile. */
export interface RunningStack {
  pid: number
  url: string
  userJwtKey: UserJwtKey
}

const fileOf = (dataDir: string) => join(dataDir, 'running.json')

/** Notes that a stack runs on this folder; only its owner may read the note. */
export const noteRunning = (dataDir: string, stack: RunningStack): Promise<void> =>
  writeFile(fileOf(dataDir), JSON.stringify(stack), { mode: 0o600 })

export const noteStopped = (dataDir: string): Promise<void> => rm(fileOf(dataDir), { force: true })

/** The stack that runs on this folder; `undefined` if none does, or its process died. */
export async function runningStack(dataDir: string): Promise<RunningStack | undefined> {
  try {
    const stack: RunningStack = JSON.parse(await readFile(fileOf(dataDir), 'utf8'))
    process.kill(stack.pid, 0)
    return stack
  } catch {
    return undefined
  }
}
