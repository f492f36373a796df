import { globSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

/** Everything that people read or run: pages, workflows, the dashboard with its code samples, examples, printed texts. */
const files = globSync(
  [
    '*.md',
    '.ci/*',
    '.github/**/*.yml',
    '{bench,clients,dashboard,docs,examples,functions,infra,lib,local,openapi,scripts,simulation}/**/*.{md,ts,tsx,mjs,js,html,json}',
    'test/**/*.md',
  ],
  { exclude: ['**/node_modules/**', '**/dist/**'] },
)
const read = (file: string) => readFileSync(file, 'utf8')

/** The packages that the lock files pin: their names are taken, and `npx` runs their executables. */
const pinned = new Set(
  globSync('{.,test/**}/package-lock.json', { exclude: ['**/node_modules/**'] })
    .flatMap((file) => Object.entries<Locked>(JSON.parse(read(file)).packages))
    .filter(([path, { link }]) => path.startsWith('node_modules/') && !link)
    .flatMap(([path, { name, bin }]) => [
      path.replace(/^.*node_modules\//, ''),
      ...(name ? [name] : []),
      ...Object.keys(bin ?? {}),
    ]),
)

interface Locked {
  name?: string
  /** A package of this repository. */
  link?: boolean
  bin?: Record<string, string>
}

/** The end of a command that installs packages: options and names. */
const installed =
  /\b(?:npm\s+(?:i|in|ins|install|add)|(?:pnpm|yarn|bun|deno)\s+(?:add|i|install))\b((?:[ \t]+[^\s`"'|;&<>()#]+)*)/g

/** The package that a command runs or shows. */
const run =
  /\b(?:npx|pnpx|bunx|npm\s+(?:x|exec|create|init|view|info|show)|(?:pnpm|yarn|bun)\s+(?:x|dlx|create))(?:[ \t]+-\S+)*[ \t]+([^\s`"'|;&<>()#]+)/g

/** The beginnings of addresses that serve a package of npm by its name. */
const addresses =
  /(?:\bnpm:|(?:esm\.sh|unpkg\.com|esm\.run|cdn\.skypack\.dev|jsdelivr\.net\/npm|npmjs\.(?:com|org)\/package)\/)(@?[a-z0-9][\w.-]*(?:\/[\w.-]+)?)/g

/** The names of which a text would make a reader ask the registry, without their versions. */
function askedIn(text: string): string[] {
  const words = groupsOf(installed, text).flatMap((end) => end.trim().split(/\s+/))
  const specs = [...words, ...groupsOf(run, text)].filter((word) => /^@?[a-z0-9]/i.test(word))
  return [...specs, ...groupsOf(addresses, text)].map((spec) => spec.replace(/(?<=.)@.*$/, ''))
}

const groupsOf = (pattern: RegExp, text: string) =>
  Array.from(text.matchAll(pattern), ([, group = '']) => group)

test('finds the commands and addresses that ask the registry for a package', () => {
  const text = `npm install player-nfts-client\n npm i -D @a/b@1.2 c\nnpx d --e && pnpm add f; yarn dlx g
    import 'npm:h' from "https://esm.sh/i@2" npm install ./j.tgz; npm install && npm ci`
  expect(askedIn(text).toSorted()).toEqual([
    '@a/b',
    'c',
    'd',
    'f',
    'g',
    'h',
    'i',
    'player-nfts-client',
  ])
})

test('no page and no code sample asks the registry for a package whose name anybody could take', () => {
  expect(files.length).toBeGreaterThan(500)
  expect(pinned.has('jose') && pinned.has('cdk')).toBe(true)
  expect(pinned.has('player-nfts-client')).toBe(false)
  const found = files.flatMap((file) =>
    askedIn(read(file))
      .filter((name) => !pinned.has(name))
      .map((name) => `${file}: ${name}`),
  )
  expect(found).toEqual([])
})
