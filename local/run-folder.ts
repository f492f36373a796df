import { rmSync } from 'node:fs'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isRunning } from './running-stack.ts'

const prefix = 'player-nfts-run-'

interface RunFolder {
  path: string
  remove(): Promise<void>
}

/**
 * Creates a temporary folder. It is deleted when this process ends in any way but `kill -9`; the next run
 * deletes the folders of killed runs. Rejects with a message that names the variable of the folder (TMPDIR, on
 * Windows TEMP) if it cannot be created.
 */
export async function createRunFolder(): Promise<RunFolder> {
  await removeAbandoned()
  const named = join(tmpdir(), `${prefix}${process.pid}-`)
  const path = await mkdtemp(named).catch((error: NodeJS.ErrnoException) => {
    const variable = process.platform === 'win32' ? 'TEMP' : 'TMPDIR'
    throw new Error(
      `${tmpdir()} cannot be used (${error.code}): set ${variable} to a folder that can be written.`,
    )
  })
  const removeNow = () => {
    try {
      rmSync(path, { recursive: true, force: true })
    } catch {
      // Windows keeps open files. The next run deletes the folder.
    }
  }
  process.once('exit', removeNow)
  return {
    path,
    async remove() {
      await rm(path, { recursive: true, force: true })
      process.off('exit', removeNow)
    },
  }
}

/** Deletes the folders whose names have the number of a process that does not run. */
async function removeAbandoned(): Promise<void> {
  for (const name of await readdir(tmpdir()).catch(() => [])) {
    const [pid = ''] = name.startsWith(prefix) ? name.slice(prefix.length).split('-') : []
    if (!/^\d+$/.test(pid) || isRunning(Number(pid))) continue
    await rm(join(tmpdir(), name), { recursive: true, force: true }).catch(() => undefined)
  }
}
