import { readFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { build } from 'esbuild'
import { dashboardFile } from './dashboard-files.ts'

/** The folder of the dashboard. */
export const root = join(import.meta.dirname, '..')

/** No file is written here: the names of the results begin with it. */
const outdir = join(root, 'dist')

/**
 * Bundles the scripts and styles of a page by their entry points, with the script that runs before its first paint. Returns the
 * files by their URL paths, with the icon, their names by those of the entry points and `theme`, and what they import.
 */
export async function bundlePage(
  entries: Record<string, string>,
  define: Record<string, string> = {},
) {
  const bundles = await Promise.all([
    bundle(entries, true, define),
    bundle({ theme: 'shell/early-theme.ts' }, false),
  ])
  const icon = await readFile(join(root, 'icon.svg'))
  const files = new Map([['/icon.svg', dashboardFile('/icon.svg', icon)]])
  for (const { path, contents } of bundles.flatMap(({ outputFiles }) => outputFiles)) {
    const name = `/assets/${basename(path)}`
    files.set(name, dashboardFile(name, contents))
  }
  const [{ metafile }, early] = bundles
  const outputs = { ...metafile.outputs, ...early.metafile.outputs }
  // A view that is loaded on demand is an entry point of esbuild, too.
  const wanted = [...Object.keys(entries), 'theme']
  const named = Object.keys(outputs).filter((path) => wanted.includes(entryName(path)))
  const names = Object.fromEntries(named.map((path) => [entryName(path), basename(path)]))
  return { files, names, outputs }
}

/** Bundles entry points, by the names of their results, which contain a digest of the content. */
const bundle = (
  entryPoints: Record<string, string>,
  splitting: boolean,
  define: Record<string, string> = {},
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

/** The name of the entry point of a result. */
export const entryName = (path: string): string => basename(path).replace(/-[0-9A-Z]{8}\.\w+$/, '')

/** Replaces each `%name%` of the page. Throws if the page names something that was not built. */
export function withNames(html: string, names: Record<string, string | string[]>): string {
  return html.replaceAll(/%(\w+)%/g, (_, name: string) => {
    const value = names[name]
    if (value === undefined) throw new Error(`the page names ${name}, which is not built`)
    return typeof value === 'string' ? value : value.join('\n    ')
  })
}
