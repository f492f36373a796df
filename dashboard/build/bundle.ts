import { join, relative } from 'node:path'
import { build } from 'esbuild'
import { type DashboardFile, dashboardFile } from './dashboard-files.ts'

/** The folder of the dashboard. */
export const root = join(import.meta.dirname, '..')

/** No file is written here: the names of the results begin with it. */
const outdir = join(root, 'dist')

/** A bundle that no file was written of. */
type Bundle = Awaited<ReturnType<typeof bundle>>

/** Bundles the entry points, by the names of their results, which contain a digest of the content. */
export const bundle = (
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
    // The first ones that know the colours of both themes: light-dark().
    target: ['chrome123', 'edge123', 'firefox120', 'safari17.5'],
    define,
    jsx: 'automatic',
    jsxImportSource: 'preact',
    minify: true,
    legalComments: 'none',
    metafile: true,
    write: false,
    logLevel: 'silent',
  })

/** The script that runs before the first paint of each page. */
export const earlyTheme = (): Promise<Bundle> =>
  bundle({ theme: 'shell/early-theme.ts' }, { splitting: false })

/** The files of bundles, by their URL paths. */
export function bundledFiles(...bundles: readonly Bundle[]): Map<string, DashboardFile> {
  const files = new Map<string, DashboardFile>()
  for (const { path, contents } of bundles.flatMap(({ outputFiles }) => outputFiles)) {
    const name = `/assets/${relative(outdir, path).replaceAll('\\', '/')}`
    files.set(name, dashboardFile(name, contents))
  }
  return files
}

/** The names of the results by the names of the entry points. */
export const namesOf = ({ metafile }: Bundle, entries: readonly string[]): Record<string, string> =>
  Object.fromEntries(
    Object.entries(metafile.outputs)
      .filter(([, { entryPoint }]) => entryPoint !== undefined)
      .map(([path]) => [entryName(path), fileName(path)])
      // A view that is loaded on demand is an entry point of esbuild, too.
      .filter(([name]) => entries.includes(name ?? '')),
  )

/** The name of a result without its folder. */
export const fileName = (path: string): string => path.slice(path.lastIndexOf('/') + 1)

/** The name of the entry point of a result. */
export const entryName = (path: string): string => fileName(path).replace(/-[0-9A-Z]{8}\.\w+$/, '')

/** Replaces each `%name%` of the page. Throws if the page names something that was not built. */
export function withNames(html: string, names: Record<string, string | string[]>): string {
  return html.replaceAll(/%(\w+)%/g, (_, name: string) => {
    const value = names[name]
    if (value === undefined) throw new Error(`the page names ${name}, which is not built`)
    return typeof value === 'string' ? value : value.join('\n    ')
  })
}
