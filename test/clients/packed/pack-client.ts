import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { installDependencies } from '../../../scripts/install.mjs'

declare module 'vitest' {
  interface ProvidedContext {
    /** The client as `npm pack` makes it. */
    clientPackage: string
  }
}

const packageFolder = join(import.meta.dirname, '../../../clients/typescript')

/** Packs the client as for publishing into a folder, and returns the file. */
export function packClient(folder: string): string {
  // The script that builds the client runs, although the settings of this repository turn scripts off.
  const args = ['pack', '--json', '--ignore-scripts=false', '--pack-destination', folder]
  const shell = process.platform === 'win32'
  const options = { cwd: packageFolder, encoding: 'utf8', shell } as const
  const output = execFileSync('npm', args, { ...options, stdio: ['ignore', 'pipe', 'pipe'] })
  const [{ filename }] = JSON.parse(output.slice(output.indexOf('[')))
  return join(folder, filename)
}

/** Packs the client, and installs what projects that use it bring. */
export async function setup(project: TestProject): Promise<() => void> {
  await installDependencies(join(import.meta.dirname, '../packages'))
  const folder = mkdtempSync(join(tmpdir(), 'player-nfts-pack-'))
  project.provide('clientPackage', packClient(folder))
  return () => rmSync(folder, { recursive: true, force: true })
}
