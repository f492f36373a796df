import { execFileSync, spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { chmodSync, cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { describe, expect, onTestFinished, test } from 'vitest'
import { newFolder } from '../support/command-fixture.ts'
import { onWindows } from '../support/vitest/windows.ts'

const { node: version } = process.versions
const platform = `${process.platform}-${process.arch}`
const name = 'node-of-this-machine'

const digestOf = (content: Buffer) =>
  `sha512-${createHash('sha512').update(content).digest('base64')}`

/** A package whose Node creates the file `ran` when it runs. */
function nodePackage(comment: string) {
  const folder = newFolder()
  const ran = join(folder, 'ran')
  mkdirSync(join(folder, 'package/bin'), { recursive: true })
  writeFileSync(join(folder, 'package/package.json'), JSON.stringify({ name, version }))
  const script = `#!/bin/sh\n# ${comment}\ntouch ${ran}\nexec ${process.execPath} "$@"\n`
  writeFileSync(join(folder, 'package/bin/node'), script)
  chmodSync(join(folder, 'package/bin/node'), 0o755)
  execFileSync('tar', ['-czf', 'package.tgz', 'package'], { cwd: folder })
  return { content: readFileSync(join(folder, 'package.tgz')), ran }
}

/** A registry of npm that has this package only, with the digest of what it sends. */
async function startRegistry(content: Buffer): Promise<string> {
  const server = createServer(({ url: path }, response) => {
    if (path?.endsWith('.tgz')) {
      response.end(content)
      return
    }
    const dist = { tarball: `${url}/package.tgz`, integrity: digestOf(content) }
    const versions = { [version]: { name, version, dist } }
    response.end(JSON.stringify({ name, 'dist-tags': { latest: version }, versions }))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return url
}

/** A project that expects a Node with this digest, and whose other packages are installed: it has none. */
function projectWith(integrity: string): string {
  const root = newFolder()
  cpSync('scripts', join(root, 'scripts'), { recursive: true })
  const put = (file: string, content: unknown) =>
    writeFileSync(join(root, file), JSON.stringify(content))
  const devDependencies = { node: version }
  put('scripts/node-packages.json', { [platform]: { name, integrity } })
  put('package.json', { devDependencies })
  const packages = { '': { devDependencies }, 'node_modules/node': { version, dev: true } }
  put('package-lock.json', { lockfileVersion: 3, requires: true, packages })
  mkdirSync(join(root, 'node_modules'))
  put('node_modules/.package-lock.json', { packages: {} })
  return root
}

async function runIn(root: string, registry: string) {
  const env = { ...process.env, npm_config_registry: registry, npm_config_cache: newFolder() }
  const args = ['scripts/run.mjs', '--omit=dev', '-p', '"the script ran"']
  const child = spawn(process.execPath, args, { cwd: root, env, stdio: ['ignore', 'pipe', 'pipe'] })
  onTestFinished(() => void child.kill('SIGKILL'))
  const [stdout, stderr, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'exit'),
  ])
  return { code, stdout, stderr }
}

describe.skipIf(onWindows)('the Node of the project', () => {
  test('runs if its package has the digest of the repository', async () => {
    const { content, ran } = nodePackage('as published')
    const result = await runIn(projectWith(digestOf(content)), await startRegistry(content))
    expect(result, result.stderr).toMatchObject({ code: 0, stdout: 'the script ran\n' })
    expect(existsSync(ran)).toBe(true)
  })

  test('does not run if the registry sends another package', async () => {
    const { content, ran } = nodePackage('tampered with')
    const root = projectWith(digestOf(nodePackage('as published').content))
    const result = await runIn(root, await startRegistry(content))
    expect(result).toMatchObject({ code: 1, stdout: '' })
    expect(result.stderr).toContain('EINTEGRITY')
    expect(existsSync(ran)).toBe(false)
  })
})
