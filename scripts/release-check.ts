import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { helpIfAsked } from '@player-nfts/local/help'
import {
  type Check,
  checkChangelog,
  checkCommits,
  checkPackage,
  checkProvenance,
  checkVersion,
  type Manifest,
} from './release-check/release-checks.ts'

helpIfAsked([
  'Usage: npm run release:check',
  '',
  'Checks that the client in clients/typescript can be published on npm: commits, version, changelog,',
  'provenance, what the package contains, and the tests of the packed package in new projects. Asks npm which',
  'versions it has. Publishes nothing. Ends with exit code 1 if something is missing, and says what.',
])

const root = join(import.meta.dirname, '..')
const folder = join(root, 'clients/typescript')
const shell = process.platform === 'win32'
const read = (path: string) => readFile(join(root, path), 'utf8')

/** The versions of a package that npm has. */
async function publishedVersions(name: string): Promise<string[]> {
  const args = ['view', name, 'versions', '--json']
  const { stdout } = await promisify(execFile)('npm', args, { shell }).catch((error) => {
    if (JSON.parse(error.stdout || '{}').error?.code === 'E404') return { stdout: '[]' }
    throw new Error(`npm does not say which versions of ${name} it has: ${error.message}`)
  })
  return [JSON.parse(stdout)].flat()
}

/** Says what a check has found, and returns whether it has passed. */
function tell({ holds, problems }: Check): boolean {
  const lines = problems.length === 0 ? [`✓ ${holds}`] : problems.map((text) => `✗ ${text}`)
  console.log(lines.join('\n'))
  return problems.length === 0
}

async function testPackage(): Promise<Check> {
  console.log('  The tests of the packed package run: npm run test:clients')
  const child = spawn('npm', ['run', '--silent', 'test:clients'], {
    cwd: root,
    stdio: ['ignore', 'ignore', 'inherit'],
    shell,
  })
  const [code] = await once(child, 'close')
  const problems = code === 0 ? [] : ['The tests of the package fail: run npm run test:clients.']
  return { holds: 'The package works in new projects.', problems }
}

/** `npm run release:check`: says what is missing before the client can be published. */
async function main(): Promise<void> {
  const manifest: Manifest = JSON.parse(await read('clients/typescript/package.json'))
  const { version: repository } = JSON.parse(await read('package.json'))
  const published = await publishedVersions(manifest.name)
  const today = new Date().toISOString().slice(0, 10)
  const passed = [
    await checkCommits(root),
    checkVersion(manifest, { repository, published }),
    checkChangelog(await read('CHANGELOG.md'), manifest.version, today),
    checkProvenance(manifest),
    await checkPackage(folder),
  ].map(tell)
  if (passed.every(Boolean) && tell(await testPackage())) {
    const tag = `client-v${manifest.version}`
    console.log(`\nTo publish it: git tag ${tag} && git push origin ${tag}`)
  } else {
    process.exitCode = 1
  }
}

main().catch((error: Error) => {
  console.error(error.message)
  process.exitCode = 1
})
