import { globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'

const workspaces: string[] = JSON.parse(readFileSync('package.json', 'utf8')).workspaces

/** The files outside a workspace that its files may import, and those that only its tests may import. */
const borrowed: Record<string, { code: RegExp; tests: RegExp }> = {
  'clients/typescript': {
    code: /^$/,
    tests: /^(lib\/contract|test\/support)\/|^functions\/operations\.ts$|^docs\/openapi\.json$/,
  },
  dashboard: {
    code: /^(clients\/typescript\/src|lib\/domain\/allowlist)\//,
    tests:
      /^(lib\/(contract|domain)|clients\/typescript\/src|test\/support)\/|^functions\/operations\.ts$/,
  },
  local: {
    code: /^lib\/(contract|domain|settings|json|adapters\/(accounts|alchemy|aws|dynamodb|kms))\/|^(functions\/operations|infra\/bundle\/bundle|infra\/settings\/settings)\.ts$/,
    tests:
      /^(lib\/(domain|adapters\/accounts)|test\/support)\/|^(bench\/cold-start\/forbidden-modules|infra\/bundle\/bundle)\.ts$/,
  },
}

const files = globSync('**/*.{ts,tsx,mjs}', {
  exclude: ['**/node_modules', '**/dist', '.*', 'test/clients/packed/programs', 'cdk.out'],
})
const workspaceOf = (file: string) => workspaces.find((folder) => file.startsWith(`${folder}/`))

/** The imports of each file by their path in the repository, or as they stand if they are not relative. */
const imports = files.flatMap((file) => {
  const found = readFileSync(file, 'utf8').matchAll(
    /^(?:import |(?:import|export) [^'\n]* from |\} from )'([^'\n]+)'|\bawait import\('([^'\n]+)'/gm,
  )
  return [...found]
    .map(([, named, loaded]) => named ?? loaded ?? '')
    .map((name) => ({
      file,
      path: name.startsWith('.') ? join(dirname(file), name) : name,
      isRelative: name.startsWith('.'),
    }))
})

function mayLeave(file: string, path: string): boolean {
  const rules = borrowed[workspaceOf(file) ?? '']
  const isTest = file.includes('/test/')
  return rules === undefined || (isTest ? rules.tests : rules.code).test(path)
}

test('no relative import leads into a workspace, or out of one but to what it borrows', () => {
  const crossing = imports.filter(
    ({ file, path, isRelative }) => isRelative && workspaceOf(file) !== workspaceOf(path),
  )
  expect(crossing.length).toBeGreaterThan(100)
  const wrong = crossing.filter(({ file, path }) => {
    // Tests of the dashboard in a browser name the client's types, as the dashboard does.
    const from = file.startsWith('test/browser/dashboard/') ? 'dashboard/' : file
    const isInto = workspaceOf(path) !== undefined
    return isInto ? !(from.startsWith('dashboard/') && mayLeave(from, path)) : !mayLeave(file, path)
  })
  expect(wrong.map(({ file, path }) => `${file}: ${path}`)).toEqual([])
})

test.each(['dashboard', 'local'])(
  '%s exports each module that others import, and no more',
  (name) => {
    const manifest = JSON.parse(readFileSync(join(name, 'package.json'), 'utf8'))
    const exported = Object.keys(manifest.exports).map((path) => join(manifest.name, path))
    const imported = imports
      .filter(
        ({ file, path }) => path.startsWith(`${manifest.name}/`) && !file.startsWith(`${name}/`),
      )
      .map(({ path }) => path)
    expect(exported).toEqual([...new Set(imported)].toSorted())
  },
)

test('what is deployed takes nothing of a workspace but the built pages and the table of their paths', () => {
  const taken = imports.filter(
    ({ file, path }) =>
      /^(lib|functions|openapi|infra)\//.test(file) &&
      /^(@player-nfts\/|player-nfts-client)/.test(path),
  )
  const isGiven = ({ file, path }: (typeof taken)[number]) =>
    file.startsWith('infra/') &&
    /^@player-nfts\/dashboard\/(build\/|shell\/page-paths$|site\/build-site$)/.test(path)
  expect(taken.some(isGiven)).toBe(true)
  expect(taken.filter((each) => !isGiven(each))).toEqual([])
})
