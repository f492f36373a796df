import { createHash } from 'node:crypto'
import { globSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'

const root = join(import.meta.dirname, '..')
const read = (path: string): string => readFileSync(join(root, path), 'utf8')

const themes = ['light', 'dark'] as const

/** A picture of a Mermaid block of a page, in one theme. */
export interface Diagram {
  /** The picture's path in the repository. */
  readonly path: string
  /** The text of the block. */
  readonly source: string
  /** The `themeVariables` of Mermaid, which are the dashboard's colours. */
  readonly colours: Readonly<Record<string, string>>
  /** The SHA-256 digest, in hexadecimal, of what the picture is drawn from. The picture contains it. */
  readonly digest: string
}

/** The pictures of all Mermaid blocks of README.md and of the pages in docs, in both themes. */
export const diagrams = (): Diagram[] =>
  ['README.md', ...globSync('docs/*.md', { cwd: root }).toSorted()].flatMap((page) =>
    Array.from(read(page).matchAll(/^```mermaid\n(.*?)^```$/gms)).flatMap(
      ([, source = ''], index) =>
        themes.map((theme, place) => {
          const name = `${basename(page, '.md').toLowerCase()}-${index + 1}-${theme}`
          const colours = coloursOf(place)
          const digest = createHash('sha256').update(JSON.stringify([source, colours]))
          const path = `docs/images/diagrams/${name}.svg`
          return { path, source, colours, digest: digest.digest('hex') }
        }),
    ),
  )

/** The colours of Mermaid's theme `base`, each with the name of its value in dashboard/styles/tokens.css. */
const names = {
  primaryColor: 'surface',
  primaryTextColor: 'text',
  primaryBorderColor: 'line-strong',
  textColor: 'text',
  titleColor: 'text',
  lineColor: 'text-soft',
  mainBkg: 'surface',
  nodeBorder: 'line-strong',
  clusterBkg: 'sunken',
  clusterBorder: 'line-button',
  edgeLabelBackground: 'page',
  actorBkg: 'surface',
  actorBorder: 'accent',
  actorTextColor: 'text',
  actorLineColor: 'line-strong',
  signalColor: 'text-soft',
  signalTextColor: 'text',
  noteBkgColor: 'accent-soft',
  noteBorderColor: 'accent',
  noteTextColor: 'text',
}

/** The colours of the first theme or of the second one. */
function coloursOf(place: number): Record<string, string> {
  const values = read('dashboard/styles/tokens.css').matchAll(
    /--([\w-]+): light-dark\((#\w+), (#\w+)\);/g,
  )
  const tokens = new Map(Array.from(values, ([, name, ...both]) => [name, both[place] ?? '']))
  return Object.fromEntries(
    Object.entries(names).map(([variable, name]) => [variable, tokens.get(name) ?? '']),
  )
}
