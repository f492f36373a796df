import { readFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import type { Metafile } from 'esbuild'
import type { DashboardConfig } from '../shell/dashboard-config.ts'
import { bundlePage, entryName, root, withNames } from './bundle.ts'
import { type DashboardFile, type DashboardFiles, dashboardFile } from './dashboard-files.ts'

/** Where the dashboard reads its configuration. */
export const configPath = '/config.json'

/**
 * Builds all files of the dashboard: the page, its scripts, styles and icon, and its configuration. Rejects with
 * esbuild's error, which names the position in the source, if the code does not compile.
 */
export async function buildDashboard(config: DashboardConfig): Promise<DashboardFiles> {
  const files = new Map(await buildDashboardPage())
  files.set(configPath, configFile(config))
  return files
}

export const configFile = (config: DashboardConfig): DashboardFile =>
  dashboardFile(configPath, JSON.stringify(config))

/** Builds the files that are the same for every configuration. Rejects if the code does not compile. */
export async function buildDashboardPage(): Promise<DashboardFiles> {
  const { files, names, outputs } = await bundlePage(
    { main: 'main.tsx', dashboard: 'styles/dashboard.css' },
    { OPERATION_NAMES: JSON.stringify(await operationNames()) },
  )
  const chunks = loadedFirst(outputs).map(
    (name) => `<link rel="modulepreload" href="/assets/${name}">`,
  )
  const html = await readFile(join(root, 'index.html'), 'utf8')
  files.set('/index.html', dashboardFile('/index.html', withNames(html, { ...names, chunks })))
  return files
}

/** What people call the operations, by their ids: the summaries of the OpenAPI document. */
async function operationNames(): Promise<Record<string, string>> {
  const { paths } = JSON.parse(await readFile(join(root, '../docs/openapi.json'), 'utf8')) as {
    paths: Record<string, Record<string, { operationId?: string; summary?: string }>>
  }
  const operations = Object.values(paths).flatMap((path) => Object.values(path))
  return Object.fromEntries(operations.map(({ operationId, summary }) => [operationId, summary]))
}

/** The scripts that the entry point imports, which the browser can load at once. */
function loadedFirst(outputs: Metafile['outputs']): string[] {
  const pending = Object.keys(outputs).filter((path) => entryName(path) === 'main')
  const found = new Set<string>()
  for (const path of pending) {
    for (const { kind, path: imported } of outputs[path]?.imports ?? []) {
      if (kind !== 'import-statement' || found.has(imported)) continue
      found.add(imported)
      pending.push(imported)
    }
  }
  return [...found].map((path) => basename(path)).sort()
}
