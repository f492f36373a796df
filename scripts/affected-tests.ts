import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { posix } from 'node:path'
import { routes } from '../functions/operations.ts'
import { workerName } from '../infra/bundle/bundle.ts'
import { delivererName, followerName } from '../lib/contract/background-names.ts'
import { base, functionName, type Route } from '../lib/contract/route.ts'

/** The files of the project by their paths: the text of code and of package.json files, and '' for others. */
type Files = ReadonlyMap<string, string>

/** What every test runs with. */
const foundations = [
  'package.json',
  'package-lock.json',
  'tsconfig.json',
  'vitest.config.ts',
  'test/support/vitest/patience.ts',
  'test/support/vitest/setup.ts',
]

/** What starts the service for the tests that `inject` something of it. */
const globalSetup = 'test/support/vitest/global-setup.ts'

const isTest = (path: string) => path.endsWith('.test.ts')
const isCode = (path: string) => /\.[cm]?[jt]sx?$/.test(path)

/** Returns the paths that differ from a commit in the work tree, also new ones. Throws with Git's message. */
export const changedSince = (commit: string): string[] => [
  ...git('diff', '--name-only', '--no-renames', '-z', commit, '--'),
  ...git('ls-files', '--others', '--exclude-standard', '-z'),
]

/** Reads the files of the project that Git does not ignore. */
export const projectFiles = (): Files =>
  new Map(
    git('ls-files', '--cached', '--others', '--exclude-standard', '-z')
      .filter((path) => existsSync(path))
      .map((path) => [path, isRead(path) ? readFileSync(path, 'utf8') : '']),
  )

const isRead = (path: string) => isCode(path) || path.endsWith('package.json')

function git(...args: string[]): string[] {
  const { status, stdout, stderr, error } = spawnSync('git', args, { encoding: 'utf8' })
  if (status !== 0) throw new Error(`git ${args[0]}: ${error?.message ?? stderr.trim()}`)
  return stdout.split('\0').filter(Boolean)
}

/** The test files and functions that changed files can reach, and the number of all test files. */
interface Reached {
  tests: string[]
  functions: string[]
  all: number
}

/**
 * Returns what changed files can reach: tests through imports, through other names of files in quotes, and through the
 * bundles of the functions that tests call. What reaches no test so, but is no page, counts as all code of its folder.
 */
export function testsReachedBy(changed: readonly string[], files: Files): Reached {
  const tests = [...files.keys()].filter(isTest)
  const all = tests.length
  if (changed.some((path) => foundations.includes(path))) return { tests, functions: [], all }
  const exported = exportsIn(files)
  const isFile = (path: string) => files.has(path) || changed.includes(path)
  const users = usersIn(files, (...file) => [
    ...namesIn(...file, exported).filter(isFile),
    ...globbedIn(...file, [...files.keys(), ...changed]),
    ...calledIn(...file),
  ])
  const reached = reach(changed, users)
  for (const path of changed) {
    if ([...reach([path], users)].some((file) => isTest(file) && !readsAll(file))) continue
    const adjacent = [...files.keys()].filter((file) => isAdjacent(path, file))
    for (const file of reach(adjacent, users)) reached.add(file)
  }
  const names = functions.map(({ name }) => name).filter((name) => reached.has(handlerOf(name)))
  return { tests: tests.filter((path) => reached.has(path)), functions: names, all }
}

type Users = Map<string, Set<string>>

/** The files by which each one is used. */
function usersIn(files: Files, used: (path: string, text: string) => string[]): Users {
  const users: Users = new Map()
  for (const [path, text] of files) {
    for (const name of used(path, text)) users.set(name, new Set(users.get(name)).add(path))
  }
  return users
}

function reach(from: readonly string[], users: Users): Set<string> {
  const reached = new Set(from)
  for (const path of reached) for (const user of users.get(path) ?? []) reached.add(user)
  return reached
}

/** Whether a file is beside a changed one that nothing names: code of its first folder, or anything if it has none. */
function isAdjacent(changed: string, path: string): boolean {
  const [first, second] = changed.split('/')
  if (changed.endsWith('.md') || readsAll(path)) return readsAll(path)
  const folder = second === undefined ? '' : first === 'test' ? `test/${second}/` : `${first}/`
  return isCode(path) && path.startsWith(folder)
}

/** These tests are about the whole tree. */
const readsAll = (path: string) => path.startsWith('test/repository/')

/** The files that packages of this repository export, by the name with which others import them. */
function exportsIn(files: Files): ReadonlyMap<string, string> {
  const manifests = [...files].filter(([path]) => posix.basename(path) === 'package.json')
  return new Map(
    manifests.flatMap(([path, text]) => {
      const { name, exports = {} } = JSON.parse(text)
      const modules = Object.entries(exports).filter(([, file]) => typeof file === 'string')
      return modules.map(([key, file]) => [
        posix.join(name, key),
        posix.join(posix.dirname(path), file as string),
      ])
    }),
  )
}

/** The paths that a file may name in quotes: imports that exist at run time, and what it reads or starts. */
function namesIn(path: string, text: string, exported: ReadonlyMap<string, string>): string[] {
  if (!isCode(path)) return []
  const code = text.replaceAll(/^(import|export) type [^'"=]* from '[^']*'/gm, '')
  const folders = ['.']
  for (const part of posix.dirname(path).split('/'))
    folders.push(posix.join(folders.at(-1) ?? '', part))
  const names = Array.from(code.matchAll(/(?<=['"])[\w@./-]+(?=['"])/g), ([name]) => name)
  const paths = names.flatMap((name) => {
    const module = exported.get(name)
    if (module) return [module]
    return (/^\.\.?\//.test(name) ? folders.slice(-1) : folders).map((folder) =>
      posix.join(folder, name),
    )
  })
  return text.includes('inject(') ? [...paths, globalSetup] : paths
}

/** The files of the folders that a file looks through. */
function globbedIn(path: string, text: string, all: string[]): string[] {
  if (!isTest(path) || !/\bglob(Sync)?\(/.test(text)) return []
  const starts = Array.from(
    text.matchAll(/'([\w./-]*)[*{][\w*{},./-]*'/g),
    ([, start = '']) => start,
  )
  return all.filter((file) => starts.some((start) => file.startsWith(start)))
}

interface Called {
  method: string | undefined
  path: string
  /** Whether the path goes on with a value. */
  isOpen: boolean
}

/** The setting with which a test starts a service that calls the follower by itself. */
const follows = "|FOLLOWED_CHAINS: '[A-Z]"

/** The functions by what calls them in tests: the name of an operation, its method and paths, or the name of the function. */
const functions = [
  ...Object.values<Route>(routes).map(({ id, method, paths }) => ({
    name: functionName(id),
    named: new RegExp(`['"](${id}|${functionName(id)})['"]|\\b${id}(: (async )?)?\\(`),
    isCalled: (call: Called) =>
      (call.method ?? method) === method && paths.some((path) => isAt(path, call)),
  })),
  ...Object.entries({ workerName, followerName, delivererName }).map(([variable, name]) => ({
    name,
    named: new RegExp(`\\b${variable}\\b|['"]${name}['"]${name === followerName ? follows : ''}`),
    isCalled: () => false,
  })),
]

const handlerOf = (name: string) => `functions/${name}/handler.ts`

/** Whether a called path is, or can go on as, one of the API, whose parameters can have any values. */
function isAt(path: string, { path: called, isOpen }: Called): boolean {
  const [own, other] = [path.replace(base, ''), called.replace(base, '')]
  return isOpen
    ? other !== '' && own.startsWith(other)
    : new RegExp(`^${own.replaceAll(/\{\w+\}/g, '[^/]+')}$`).test(other)
}

/** The function that works off the messages of another one while a test of that one waits, by their handlers. */
const receivers = new Map([
  [handlerOf(functionName(routes.testWebhook.id)), handlerOf(delivererName)],
  [handlerOf(followerName), handlerOf(workerName)],
])

/** The handlers of the functions that a file of the tests or of the commands calls, or a function by a message. */
function calledIn(path: string, text: string): string[] {
  const receiver = receivers.get(path)
  if (receiver) return [receiver]
  if (!/(^|\/)(test|scripts|samples|simulation)\//.test(path)) return []
  const code = text.replaceAll(/^ *(\/\*\*[\s\S]*?\*\/|\/\/.*)$/gm, '')
  const calls = Array.from(
    code.matchAll(/(?:\b(GET|POST|PATCH|DELETE) )?((?:\/[\w.{}-]+)+\/?)(\$\{)?/g),
    ([, method, path = '', value]) => ({ method, path, isOpen: value !== undefined }),
  )
  const isAny = /\b(accepted|changed)Requests?\b/.test(code)
  return functions
    .filter(({ named, isCalled }) => isAny || named.test(code) || calls.some(isCalled))
    .map(({ name }) => handlerOf(name))
}
