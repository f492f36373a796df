import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { helpIfAsked } from '@player-nfts/local/help'
import { generatedFiles } from './generated-files.ts'

helpIfAsked([
  'Usage: npm run weight',
  '',
  'Prints what the tracked files weigh, by room: files, lines and characters that are written by hand, and the',
  'lines of what is generated and of lock files; then the words of the pages.',
])

/** Their text is nobody's: pictures are not counted, and what a package manager writes is counted apart. */
const isPicture = (path: string): boolean => /\.(png|svg)$/.test(path)
const isLock = (path: string, text: string): boolean =>
  /(package-lock\.json|Cargo\.lock|go\.sum)$/.test(path) || text.startsWith('#\n# Written by pip-')

/** The contract as it was given is no page of ours. */
const isPage = (path: string): boolean => path.endsWith('.md') && path !== 'docs/specification.md'

const { stdout } = spawnSync('git', ['ls-files', '-z'], { encoding: 'utf8' })
const files = stdout
  .split('\0')
  .filter(Boolean)
  .map((path) => {
    const text = isPicture(path) ? '' : readFileSync(path, 'utf8')
    const isByHand = !isPicture(path) && !isLock(path, text) && !(path in generatedFiles)
    const [room = ''] = path.includes('/') ? path.split('/') : ['(root)']
    const lines = text.split('\n').length - 1
    return { path, room, text, lines, isByHand, characters: text.length }
  })

type File = (typeof files)[number]
const sumOf = (some: readonly File[], value: 'lines' | 'characters'): number =>
  some.reduce((sum, file) => sum + file[value], 0)

function row(name: string, some: readonly File[]) {
  const byHand = some.filter(({ isByHand }) => isByHand)
  const others = some.filter(({ isByHand }) => !isByHand)
  return {
    ...{ room: name, files: some.length, 'lines by hand': sumOf(byHand, 'lines') },
    'characters by hand': sumOf(byHand, 'characters'),
    'other lines': sumOf(others, 'lines'),
  }
}

const rooms = [...Map.groupBy(files, ({ room }) => room)].map(([name, some]) => row(name, some))
const rows = [...rooms, row('all', files)]
const names = Object.keys(rows[0] ?? {}) as (keyof (typeof rows)[number])[]
const widths = names.map((name) =>
  Math.max(...rows.map((each) => `${each[name]}`.length), name.length),
)
const print = (cells: readonly unknown[]) =>
  console.log(cells.map((cell, index) => `${cell}`.padStart(widths[index] ?? 0)).join('  '))
print(names)
for (const each of rows) print(names.map((name) => each[name]))

const words = (some: readonly File[]): number =>
  some.reduce((sum, { text }) => sum + (text.match(/\S+/g)?.length ?? 0), 0)
const pages = files.filter(({ path }) => isPage(path))
console.log(
  `\nWords of pages: ${words(pages.filter(({ isByHand }) => isByHand))} by hand, ` +
    `${words(pages.filter(({ isByHand }) => !isByHand))} generated.`,
)
