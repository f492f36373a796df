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
const npmScript = `#!/bin/sh
echo $$ >> npm-runs
while [ -e hold ]; do sleep 0.01; done
exec "$REAL_NPM" "$@"
`

/** A project with the installer of this one, and with few packages, which are one file in its folder. */
export function newProject(onEnd: OnEnd = onTestFinished) {
  const root = newFolder(onEnd)
  const put = (name: string, content = '', mode = 0o644) =>
    writeFileSync(join(root, name), content, { mode })
  const has = (name: string) => existsSync(join(root, name))
  const realNpm = execFileSync('which', ['npm'], { encoding: 'utf8' }).trim()

  /** Packs the package, and writes package.json and package-lock.json. The project's Node runs `first`. */
  const lock = (first = '') => {
    put('package/package.json', JSON.stringify({ name: 'a', version: '1.0.0' }))
    put('package/bin/node', `#!/bin/sh\n${first}\nexec ${execPath} "$@"\n`, 0o755)
    execFileSync('tar', ['-czf', 'a.tgz', 'package'], { cwd: root })
    const digest = createHash('sha512')
      .update(readFileSync(join(root, 'a.tgz')))
      .digest('base64')
    const resolved = 'file:a.tgz'
    const packed = { name: 'a', version: '1.0.0', resolved, integrity: `sha512-${digest}` }
    const ofPlatform = (os: string) => ({ ...packed, optional: true, os })
    const kinds = {
      dependencies: { a: resolved },
      devDependencies: { tool: resolved },
      optionalDependencies: { [nodePackage]: resolved, '@node/beos': resolved },
    }
    const packages = {
      '': kinds,
      'node_modules/a': packed,
      [`node_modules/${nodePackage}`]: ofPlatform(platform),
      'node_modules/@node/beos': ofPlatform('beos'),
      'node_modules/tool': { ...packed, dev: true },
    }
    put('package.json', JSON.stringify(kinds))
    put('package-lock.json', JSON.stringify({ lockfileVersion: 3, requires: true, packages }))
  }

  /** Starts a command that this process's Node runs. */
  const startNode = (args: readonly string[], variables: Record<string, string> = {}) => {
    const npm = { REAL_NPM: realNpm, PATH: `${root}/fake:${env['PATH']}` }
    const own = { ...env, ...npm, npm_config_cache: join(root, 'cache'), ...variables }
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

  for (const name of ['run.mjs', 'install.mjs']) {
    cpSync(`scripts/${name}`, join(root, 'scripts', name))
  }
  for (const name of ['fake', 'package/bin']) mkdirSync(join(root, name), { recursive: true })
  put('fake/npm', npmScript, 0o755)
  put('echo.ts', 'console.log(process.argv.slice(2).join() as string)')
  lock()
  return {
    ...{ root, put, has, lock, startNode, start },
    remove: (name: string) => rmSync(join(root, name), { recursive: true }),
    run: (...args: string[]) => start(...args).ended,
    /** The ids of the npm processes that were started. */
    npmRuns: () =>
      (has('npm-runs') ? readFileSync(join(root, 'npm-runs'), 'utf8') : '').match(/\d+/g) ?? [],
  }
}
