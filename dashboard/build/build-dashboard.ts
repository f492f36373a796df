import { readFile } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { type BuildResult, build } from 'esbuild'
import type { DashboardConfig } from '../shell/dashboard-config.ts'
import { type DashboardFile, type DashboardFiles, dashboardFile } from './dashboard-files.ts'

const root = join(import.meta.dirname, '..')

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

/** Returns the file with the configuration. */
export const configFile = (config: DashboardConfig): DashboardFile =>
  dashboardFile(configPath, JSON.stringify(config))

/** Builds the files that are the same for every configuration. Rejects if the code does not compile. */
export async function buildDashboardPage(): Promise<DashboardFiles> {
  const define = { OPERATION_NAMES: JSON.stringify(await operationNames()) }
  const [page, early, html, icon] = await Promise.all([
    bundle({ main: 'main.tsx', dashboard: 'styles/dashboard.css' }, { splitting: true, define }),
    bundle({ theme: 'shell/early-theme.ts' }, { splitting: false }),
    readFile(join(root, 'index.html'), 'utf8'),
    readFile(join(root, 'icon.svg')),
  ])
  const files = new Map<string, DashboardFile>()
  for (const { path, contents } of [...page.outputFiles, ...early.outputFiles]) {
    const name = `/assets/${relative(outdir, path).replaceAll('\\', '/')}`
    files.set(name, dashboardFile(name, contents))
  }
  const names = {
    ...namesOf(page),
    ...namesOf(early),
    chunks: loadedFirst(page).map((name) => `<link rel="modulepreload" href="/assets/${name}">`),
  }
  files.set('/index.html', dashboardFile('/index.html', withNames(html, names)))
  files.set('/icon.svg', dashboardFile('/icon.svg', icon))
  return files
}

/** No file is written here: the names of the results begin with it. */
const outdir = join(root, 'dist')

type Bundle = Awaited<ReturnType<typeof bundle>>

/** Bundles the entry points, by the names of their results, which contain a digest of the content. */
const bundle = (
  entryPoints: Record<string, string>,
  { splitting, define = {} }: { splitting: boolean; define?: Record<string, string> },
) =>
  build({
    absWorkingDir: root,
    entryPoints: Object.entries(entryPoints).map(([out, file]) => ({ in: file, out })),
    outdir,
    entryNames: '[name]-[hash]',
    chunkNames: '[name]-[hash]',
    bundle: true,
    splitting,
    format: splitting ? 'esm' : 'iife',
    platform: 'browser',
    target: ['chrome111', 'edge111', 'firefox114', 'safari16.4'],
    define,
    jsx: 'automatic',
    jsxImportSource: 'preact',
    minify: true,
    legalComments: 'none',
    metafile: true,
    write: false,
    logLevel: 'silent',
  })

/** What people call the operations, by their ids: the summaries of the OpenAPI document. */
async function operationNames(): Promise<Record<string, string>> {
  const { paths } = JSON.parse(await readFile(join(root, '../docs/openapi.json'), 'utf8')) as {
    paths: Record<string, Record<string, { operationId?: string; summary?: string }>>
  }
  const operations = Object.values(paths).flatMap((path) => Object.values(path))
  return Object.fromEntries(operations.map(({ operationId, summary }) => [operationId, summary]))
}

/** The names of the results by the names of the entry points. */
const namesOf = ({ metafile }: Bundle): Record<string, string> =>
  Object.fromEntries(
    Object.entries(metafile.outputs)
      .filter(([, { entryPoint }]) => entryPoint !== undefined)
      .map(([path]) => [entryName(path), fileName(path)])
      // A view that is loaded on demand is an entry point of esbuild, too.
      .filter(([name]) => ['main', 'dashboard', 'theme'].includes(name ?? '')),
  )

const fileName = (path: string): string => path.slice(path.lastIndexOf('/') + 1)

const entryName = (path: string): string => fileName(path).replace(/-[0-9A-Z]{8}\.\w+$/, '')

/** The scripts that the entry point imports, which the browser can load at once. */
function loadedFirst({ metafile }: Pick<BuildResult<{ metafile: true }>, 'metafile'>): string[] {
  const pending = Object.keys(metafile.outputs).filter((path) => entryName(path) === 'main')
  const found = new Set<string>()
  for (const path of pending) {
    for (const { kind, path: imported } of metafile.outputs[path]?.imports ?? []) {
      if (kind !== 'import-statement' || found.has(imported)) continue
      found.add(imported)
      pending.push(imported)
    }
  }
  return [...found].map(fileName).sort()
}

/** Replaces each `%name%` of the page. Throws if the page names something that was not built. */
function withNames(html: string, names: Record<string, string | string[]>): string {
  return html.replaceAll(/%(\w+)%/g, (_, name: string) => {
    const value = names[name]
    if (value === undefined) throw new Error(`index.html names ${name}, which is not built`)
    return typeof value === 'string' ? value : value.join('\n    ')
  })
}
