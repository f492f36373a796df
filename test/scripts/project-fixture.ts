import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { onTestFinished } from 'vitest'
import { newFolder } from '../support/command-fixture.ts'

const { platform, arch, execPath } = process

/** The package of the project's Node for this machine. */
export const nodePackage = `@node/${platform}-${arch}`

/** A Node for tests: it starts the Node of the tests. */
export const nodeScript = `#!/bin/sh\nexec ${execPath} "$@"\n`

/** Packs a package with these executables. */
export function pack(name: string, executables: Record<string, string> = {}) {
  const folder = newFolder()
  mkdirSync(join(folder, 'package/bin'), { recursive: true })
  writeFileSync(join(folder, 'package/package.json'), JSON.stringify({ name, version: '1.0.0' }))
  for (const [file, script] of Object.entries(executables)) {
    writeFileSync(join(folder, 'package/bin', file), script)
    chmodSync(join(folder, 'package/bin', file), 0o755)
  }
  execFileSync('tar', ['-czf', 'package.tgz', 'package'], { cwd: folder })
  const content = readFileSync(join(folder, 'package.tgz'))
  return { content, integrity: `sha512-${createHash('sha512').update(content).digest('base64')}` }
}

/** A registry of npm. `asked` counts requests, and `sent` has the names of the packages that it has sent. */
async function startRegistry() {
  const packages: Record<string, ReturnType<typeof pack>> = {
    a: pack('a'),
    tool: pack('tool'),
    node: pack('node'),
    executable: pack('executable', { node: nodeScript }),
  }
  const registry = {
    ...{ packages, sent: [] as string[], asked: 0, isHolding: false, url: '' },
    connections: () => promisify(server.getConnections.bind(server))(),
  }
  const server = createServer(async ({ url = '' }, response) => {
    const [name = '', file] = url.slice(1).split('/-/')
    const found = packages[name]
    registry.asked += 1
    while (registry.isHolding) await sleep(5)
    if (!found) {
      response.writeHead(404).end('{}')
    } else if (file === undefined) {
      const tarball = `${registry.url}/${name}/-/${name}-1.0.0.tgz`
      const dist = { tarball, integrity: found.integrity }
      const versions = { '1.0.0': { name, version: '1.0.0', dist } }
      response.end(JSON.stringify({ name, 'dist-tags': { latest: '1.0.0' }, versions }))
    } else {
      registry.sent.push(name)
      response.end(found.content)
    }
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  onTestFinished(() => {
    registry.isHolding = false
    server.close()
  })
  registry.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return registry
}

/** A project with the scripts of this one, and with few packages, which only its own registry has. */
export async function newProject() {
  const root = newFolder()
  const registry = await startRegistry()
  const put = (name: string, content = '') => writeFileSync(join(root, name), content)

  /** Writes package.json, and package-lock.json with the digests that the registry's packages have now. */
  const lock = () => {
    const kinds = {
      dependencies: { a: '1.0.0' },
      devDependencies: { node: '1.0.0', tool: '1.0.0' },
      optionalDependencies: {
        [nodePackage]: 'npm:executable@1.0.0',
        '@node/beos': 'npm:foreign@1.0.0',
      },
    }
    const entry = (name: string) => ({
      name,
      version: '1.0.0',
      integrity: registry.packages[name]?.integrity,
    })
    const ofPlatform = (os: string) => ({ optional: true, os, bin: { node: 'bin/node' } })
    const packages = {
      '': kinds,
      'node_modules/a': entry('a'),
      'node_modules/@node/beos': { ...entry('foreign'), ...ofPlatform('beos') },
      [`node_modules/${nodePackage}`]: { ...entry('executable'), ...ofPlatform(platform) },
      'node_modules/node': { ...entry('node'), dev: true, bin: { node: 'bin/node' } },
      'node_modules/tool': { ...entry('tool'), dev: true },
    }
    put('package.json', JSON.stringify(kinds))
    put('package-lock.json', JSON.stringify({ lockfileVersion: 3, requires: true, packages }))
  }

  /** Starts a command that this process's Node runs. */
  const startNode = (args: readonly string[], variables: Record<string, string> = {}) => {
    const env = {
      ...process.env,
      npm_config_registry: registry.url,
      npm_config_cache: join(root, 'cache'),
      ...variables,
    }
    const stdio = ['ignore', 'pipe', 'pipe'] as const
    const child: ChildProcess = spawn(execPath, args, { cwd: root, env, stdio: [...stdio] })
    onTestFinished(() => void child.kill('SIGKILL'))
    const { stdout, stderr } = child
    if (!stdout || !stderr) throw new Error('The output is not piped.')
    // Both end when the last process that has them open ends.
    const output = Promise.all([text(stdout), text(stderr)])
    const ended = once(child, 'exit').then(async ([code, signal]) => {
      const [stdout, stderr] = await output
      return { code, signal, stdout, stderr }
    })
    return { child, ended, noticed: () => once(stderr, 'data') }
  }
  const start = (...args: string[]) => startNode(['scripts/run.mjs', ...args])

  cpSync('scripts', join(root, 'scripts'), { recursive: true })
  put('echo.ts', 'console.log(process.argv.slice(2).join() as string)')
  lock()
  return {
    root,
    registry,
    lock,
    put,
    remove: (name: string) => rmSync(join(root, name), { recursive: true }),
    has: (name: string) => existsSync(join(root, name)),
    startNode,
    start,
    run: (...args: string[]) => start(...args).ended,
  }
}

/** Waits until the condition holds. */
export async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await sleep(5)
}
