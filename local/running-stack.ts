import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { UserJwtKey } from './user-jwt.ts'

/** The facts about a running local stack that other commands need; its data folder keeps them. */
export interface RunningStack {
  pid: number
  url: string
  /** Without credentials where AWS is elsewhere: credentials of an account are never written to a file. */
  userJwtKey: Omit<UserJwtKey, 'credentials'> & Partial<Pick<UserJwtKey, 'credentials'>>
  /** The environment variables of the functions, without the region and the credentials. */
  variables?: Record<string, string>
  /** The base URL of the indexer of the sample world, if the stack has this world. */
  sampleIndexerUrl?: string
}

const fileOf = (dataDir: string) => join(dataDir, 'running.json')

/**
 * Writes the note that a stack runs on this folder; only the owner of the folder can read it. Returns another
 * stack that runs on the folder, whose note stays: stacks can share a folder if their AWS is elsewhere.
 */
export async function noteRunning(
  dataDir: string,
  stack: RunningStack,
): Promise<RunningStack | undefined> {
  const other = await runningStack(dataDir)
  if (other && other.pid !== stack.pid) return other
  await writeFile(fileOf(dataDir), JSON.stringify(stack), { mode: 0o600 })
  return undefined
}

/** Removes the note, if this process wrote it. */
export async function noteStopped(dataDir: string): Promise<void> {
  const stack = await readNote(dataDir)
  if (stack?.pid === process.pid) await rm(fileOf(dataDir), { force: true })
}

/** Returns the stack that runs on this folder; `undefined` if there is none, or its process has ended. */
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

/** Whether a process of this number runs, and this one may signal it. */
export function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}
