import { execFile } from 'node:child_process'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { promisify } from 'node:util'
import { publint } from 'publint'
import { formatMessage } from 'publint/utils'

const run = promisify(execFile)

/** What a check has found. */
export interface Check {
  holds: string
  /** What does not hold, and what to do, as sentences. Empty if the check has passed. */
  problems: readonly string[]
}

/** What `package.json` of the client says of its publication. */
export interface Manifest {
  name: string
  version: string
  publishConfig?: { access?: string; provenance?: boolean }
}

/** Checks that nothing is published that no commit has. */
export async function checkCommits(root: string): Promise<Check> {
  const { stdout } = await run('git', ['status', '--porcelain'], { cwd: root })
  const files = stdout.split('\n').filter((line) => line !== '')
  return {
    holds: 'Every file is committed.',
    problems: files.map(
      (line) => `${line.slice(3)} differs from its commit: commit or restore it.`,
    ),
  }
}

/** Checks the version: it is a new one, in the form of Semantic Versioning, and that of the repository. */
export function checkVersion(
  { name, version }: Manifest,
  { repository, published }: { repository: string; published: readonly string[] },
): Check {
  const problems = [
    /^\d+\.\d+\.\d+$/.test(version) ? '' : `Version ${version} must be three numbers, as in 1.2.3.`,
    version === repository
      ? ''
      : `Version ${version} of clients/typescript/package.json must be that of package.json, ${repository}: both have one changelog.`,
    published.includes(version)
      ? `Version ${version} of ${name} is already on npm, where no version can be replaced: raise it.`
      : '',
  ]
  return { holds: `Version ${version} is new.`, problems: problems.filter((text) => text !== '') }
}

/** Checks that the newest entry of the changelog is the one of the version, with the day of its release. */
export function checkChangelog(changelog: string, version: string, today: string): Check {
  const holds = `CHANGELOG.md describes version ${version}.`
  const [heading = '', ...lines] = (changelog.split(/^## /m)[1] ?? '').split('\n')
  const [, day] = heading.match(/ \((\d{4}-\d{2}-\d{2})\)$/) ?? []
  const problems: string[] = []
  if (heading !== `${version} (${day})` || day === undefined || day > today) {
    problems.push(
      `The first entry of CHANGELOG.md is "${heading}": write the version and the day of the release, "${version} (${today})".`,
    )
  }
  if (!lines.some((line) => line.startsWith('- '))) {
    problems.push(`The entry of CHANGELOG.md for ${version} is empty: say what has changed.`)
  }
  return { holds, problems }
}

/** Checks that npm states from which commit and workflow the package was made. */
export function checkProvenance({ publishConfig }: Manifest): Check {
  const isSet = publishConfig?.access === 'public' && publishConfig.provenance === true
  const wanted = '"publishConfig": { "access": "public", "provenance": true }'
  return {
    holds: 'The package is published with its provenance.',
    problems: isSet ? [] : [`clients/typescript/package.json needs ${wanted}.`],
  }
}

/** Checks the package as npm packs it: its parts, no path of this machine, and entry points that resolvers find. */
export async function checkPackage(folder: string): Promise<Check> {
  const temporary = await mkdtemp(join(tmpdir(), 'player-nfts-release-'))
  try {
    // The settings of this repository turn off scripts, and with them the one that builds the package.
    const args = ['pack', '--json', '--ignore-scripts=false', '--pack-destination', temporary]
    const { stdout } = await run('npm', args, { cwd: folder, shell: process.platform === 'win32' })
    const [{ filename, unpackedSize }] = JSON.parse(stdout.slice(stdout.indexOf('[')))
    await run('tar', ['-xzf', filename], { cwd: temporary })
    const unpacked = join(temporary, 'package')
    const files = await filesOf(unpacked)
    return {
      holds: `The package has ${files.size} files of ${Math.ceil(unpackedSize / 1000)} kB together, and nothing else.`,
      problems: [...problemsOf(files, folder), ...(await lintProblems(unpacked))],
    }
  } finally {
    await rm(temporary, { recursive: true })
  }
}

async function filesOf(folder: string): Promise<Map<string, string>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile())
  const paths = files.map(({ parentPath, name }) => join(parentPath, name)).sort()
  const texts = paths.map(async (path) => {
    const name = relative(folder, path).replaceAll('\\', '/')
    return [name, await readFile(path, 'utf8')] as const
  })
  return new Map(await Promise.all(texts))
}

const parts = ['LICENSE', 'NOTICE', 'README.md', 'package.json']

function* problemsOf(files: Map<string, string>, folder: string): Generator<string> {
  for (const part of parts) if (!files.has(part)) yield `The package lacks ${part}.`
  for (const [name, text] of files) {
    const isPart = parts.includes(name) || /^dist\/(esm|cjs)\/[\w.-]+\.(js|d\.ts|json)$/.test(name)
    if (!isPart) yield `The package must not contain ${name}.`
    if (text.includes(folder)) yield `${name} contains a path of this machine, ${folder}.`
  }
}

async function lintProblems(folder: string): Promise<string[]> {
  const { messages, pkg } = await publint({ pkgDir: folder, pack: false, level: 'warning' })
  return messages.map((message) => `${formatMessage(message, pkg, { color: false })}`)
}
