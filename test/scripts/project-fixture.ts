import { execFileSync, spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { onTestFinished } from 'vitest'
import { newFolder, type OnEnd } from '../support/command-fixture.ts'

const { platform, arch, execPath, env } = process

/** The package of the project's Node for this machine. */
export const nodePackage = `@node/${platform}-${arch}`

/** An npm that writes its process id to `npm-runs` and waits as long as there is a file `hold`, before it is npm. */
const npmScript = `const fs = require('node:fs')
fs.appendFileSync('npm-runs', process.pid + '\\n')
while (fs.existsSync('hold')) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5)
require(fs.realpathSync(process.env.REAL_NPM))`

/** A project with the installer of this one, and with few packages, which are files in its folder. */
export function newProject(onEnd: OnEnd = onTestFinished) {
  const root = newFolder(onEnd)
  const put = (name: string, content = '') => writeFileSync(join(root, name), content)
  const has = (name: string) => existsSync(join(root, name))

  /** Packs a package, perhaps with an executable, and returns its entry in package-lock.json. */
  const pack = (name: string, executable?: string) => {
    rmSync(join(root, 'package'), { recursive: true, force: true })
    mkdirSync(join(root, 'package/bin'), { recursive: true })
    put('package/package.json', JSON.stringify({ name, version: '1.0.0' }))
    if (executable) writeFileSync(join(root, 'package/bin/node'), executable, { mode: 0o755 })
    execFileSync('tar', ['-czf', `${name}.tgz`, 'package'], { cwd: root })
    const digest = createHash('sha512').update(readFileSync(join(root, `${name}.tgz`)))
    const integrity = `sha512-${digest.digest('base64')}`
    return { name, version: '1.0.0', resolved: `file:${name}.tgz`, integrity }
  }

  /** Packs the packages, and writes package.json and package-lock.json. The project's Node runs `first`. */
  const lock = (first = '') => {
    const executable = pack('executable', `#!/bin/sh\n${first}\nexec ${execPath} "$@"\n`)
    const ofPlatform = (os: string) => ({ optional: true, os, bin: { node: 'bin/node' } })
    const kinds = {
      dependencies: { a: 'file:a.tgz' },
      devDependencies: { node: 'file:node.tgz', tool: 'file:tool.tgz' },
      optionalDependencies: {
        [nodePackage]: executable.resolved,
        '@node/beos': executable.resolved,
      },
    }
    const packages = {
      '': kinds,
      'node_modules/a': pack('a'),
      [`node_modules/${nodePackage}`]: { ...executable, ...ofPlatform(platform) },
      'node_modules/@node/beos': { ...executable, ...ofPlatform('beos') },
      'node_modules/node': { ...pack('node'), dev: true, bin: { node: 'bin/node' } },
      'node_modules/tool': { ...pack('tool'), dev: true },
    }
    put('package.json', JSON.stringify(kinds))
    put('package-lock.json', JSON.stringify({ lockfileVersion: 3, requires: true, packages }))
  }

  /** Starts a command that this process's Node runs. */
  const startNode = (args: readonly string[], variables: Record<string, string> = {}) => {
    const realNpm =
      env['npm_execpath'] ?? execFileSync('which', ['npm'], { encoding: 'utf8' }).trim()
    const npm = { REAL_NPM: realNpm, npm_execpath: join(root, 'npm-cli.js') }
    const own = { ...env, npm_config_cache: join(root, 'cache'), ...npm, ...variables }
    const child = spawn(execPath, args, { cwd: root, env: own })
    onEnd(() => void child.kill('SIGKILL'))
    // Both end when the last process that has them open ends.
    const output = Promise.all([text(child.stdout), text(child.stderr)])
    const ended = once(child, 'exit').then(async ([code, signal]) => {
      const [stdout, stderr] = await output
      return { code, signal, stdout, stderr }
    })
    return { child, ended, noticed: () => once(child.stderr, 'data') }
  }
  const start = (...args: string[]) => startNode(['scripts/run.mjs', ...args])

  cpSync('scripts/run.mjs', join(root, 'scripts/run.mjs'))
  cpSync('scripts/install.mjs', join(root, 'scripts/install.mjs'))
  put('npm-cli.js', npmScript)
  put('echo.ts', 'console.log(process.argv.slice(2).join() as string)')
  lock()
  return {
    ...{ root, put, has, lock, startNode, start },
    remove: (name: string) => rmSync(join(root, name), { recursive: true }),
    run: (...args: string[]) => start(...args).ended,
    /** The ids of the npm processes that were started. */
    npmRuns: () =>
      (has('npm-runs') ? readFileSync(join(root, 'npm-runs'), 'utf8').match(/\d+/g) : null) ?? [],
  }
}
