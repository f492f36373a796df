import { execFileSync, spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import fs, { readFileSync, utimesSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { beforeAll, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { isAlive } from '../../scripts/install.mjs'
import { newFolder, type OnEnd } from '../support/command-fixture.ts'
import { atFileEnd } from '../support/vitest/at-file-end.ts'
import { onWindows } from '../support/vitest/windows.ts'

const { platform, arch, execPath, env } = process

/** The package of the project's Node for this machine. */
const nodePackage = `@node/${platform}-${arch}`

/** An npm that writes its process id to `npm-runs` and waits as long as there is a file `hold`, before it is npm. */
const npmScript = `#!/bin/sh
echo $$ >> npm-runs
while [ -e hold ]; do sleep 0.01; done
exec "$REAL_NPM" "$@"
`

/** A project with the installer of this one, and with few packages, which are one file in its folder. */
function newProject(onEnd: OnEnd = onTestFinished) {
  const root = newFolder(onEnd)
  const put = (name: string, content = '', mode = 0o644) =>
    fs.writeFileSync(join(root, name), content, { mode })
  const has = (name: string) => fs.existsSync(join(root, name))
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
    fs.cpSync(`scripts/${name}`, join(root, 'scripts', name))
  }
  for (const name of ['fake', 'package/bin']) fs.mkdirSync(join(root, name), { recursive: true })
  put('fake/npm', npmScript, 0o755)
  put('echo.ts', 'console.log(process.argv.slice(2).join() as string)')
  lock()
  return {
    ...{ root, put, has, lock, startNode, start },
    remove: (name: string) => fs.rmSync(join(root, name), { recursive: true }),
    run: (...args: string[]) => start(...args).ended,
    /** The ids of the npm processes that were started. */
    npmRuns: () =>
      (has('npm-runs') ? readFileSync(join(root, 'npm-runs'), 'utf8') : '').match(/\d+/g) ?? [],
  }
}

const NOTE = 'Installing dependencies (once, about a minute)…\n'
const WAITING = 'Waiting for another command to finish installing…\n'

/** The result of a command that has echoed a word. */
const echoed = (word: string, stderr = '') => ({
  ...{ code: 0, signal: null, stdout: `${word}\n`, stderr },
})

describe.skipIf(onWindows)('the install', () => {
  let project: ReturnType<typeof newProject>
  beforeEach(() => {
    project = newProject()
  })

  /** Waits until npm runs, and the command has noted that it does. */
  const npmStarted = () =>
    vi.waitUntil(
      () => project.npmRuns().some((pid) => project.has(`.build/installing/${pid}`)),
      60_000,
    )

  test('runs once, and leaves out the development dependencies until a command needs them', async () => {
    expect(await project.run('--omit=dev', 'echo.ts', 'a', 'b')).toEqual(echoed('a,b', NOTE))
    expect(await project.run('--omit=dev', 'echo.ts', 'c')).toEqual(echoed('c'))
    expect(project.has('node_modules/tool')).toBe(false)
    project.put('node_modules/a/used-by-a-running-service')
    utimesSync(join(project.root, 'node_modules/a'), 0, 0)
    expect(await project.run('echo.ts', 'd')).toEqual(echoed('d', NOTE))
    expect(project.has('node_modules/tool')).toBe(true)
    expect(project.has('node_modules/a/used-by-a-running-service')).toBe(true)
    expect(await project.run('echo.ts', 'e')).toEqual(echoed('e'))
    expect(project.npmRuns()).toHaveLength(2)
  })

  test('runs again when package-lock.json has changed or it was broken off', async () => {
    await project.run('echo.ts')
    const breaks: Record<string, () => void> = {
      'another package': () => project.lock('# another'),
      'no record': () => project.remove('node_modules/.package-lock.json'),
      'half of a record': () => project.put('node_modules/.package-lock.json', '{"packages":'),
      'no package': () => project.remove('node_modules/a'),
      'a newer package': () =>
        utimesSync(join(project.root, 'node_modules/a'), 0, Date.now() / 1_000 + 10),
    }
    for (const [name, breakOff] of Object.entries(breaks)) {
      breakOff()
      expect(await project.run('echo.ts', name), name).toEqual(echoed(name, NOTE))
    }
  })

  test('prints what to do if it fails, and never installs a Node with another digest than that of package-lock.json', async () => {
    project.remove('a.tgz')
    const { stderr, ...failed } = await project.run('echo.ts')
    expect(failed).toEqual({ code: 1, signal: null, stdout: '' })
    expect(stderr).toMatch(/a\.tgz.*\nInstalling dependencies failed: npm ci .*again\.\n$/s)
    project.lock('touch ran')
    const changed = JSON.parse(readFileSync(join(project.root, 'package-lock.json'), 'utf8'))
    changed.packages[`node_modules/${nodePackage}`].integrity = `sha512-${'A'.repeat(86)}==`
    project.put('package-lock.json', JSON.stringify(changed))
    expect((await project.run('echo.ts')).stderr).toBe(
      `${NOTE}npm has not installed node_modules/${nodePackage}: the registry lacks it, or its digest is not that of package-lock.json.\n`,
    )
    expect(project.has('ran')).toBe(false)
  })

  test('lets other processes wait for it, and for the npm of a killed process', async () => {
    project.put('hold')
    const { child } = project.start('echo.ts')
    await npmStarted()
    child.kill('SIGKILL')
    const waiting = [project.start('echo.ts', 'b'), project.start('echo.ts', 'c')]
    await Promise.all(waiting.map(({ noticed }) => noticed()))
    project.remove('hold')
    const ended = await Promise.all(waiting.map(({ ended }) => ended))
    expect(ended).toEqual([echoed('b', WAITING), echoed('c', WAITING)])
    expect(project.npmRuns()).toHaveLength(1)
    // The lock of a process whose id another one got later.
    project.put('.build/installing/1')
    utimesSync(join(project.root, '.build/installing/1'), 0, 0)
    project.lock('# another')
    expect(await project.run('echo.ts', 'd')).toEqual(echoed('d', NOTE))
  })

  test.runIf(platform === 'linux')(
    'does not wait for a process that has ended, without its parent taking notice',
    async () => {
      const wait = (milliseconds: number) =>
        `Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ${milliseconds})`
      const spawning = `const { pid } = child_process.spawn('true'); ${wait(500)}`
      const { child } = project.startNode(['-e', `${spawning}; console.log(pid); ${wait(600_000)}`])
      const [pid] = await once(child.stdout, 'data')
      fs.mkdirSync(join(project.root, '.build/installing'), { recursive: true })
      project.put(`.build/installing/${Number(pid)}`)
      expect(await project.run('echo.ts', 'a')).toEqual(echoed('a', NOTE))
    },
  )

  const runScript = `child_process.spawn(process.execPath, ['scripts/run.mjs', 'echo.ts'], { stdio: 'inherit' })`
  test.each([
    ['on SIGINT', 'SIGINT', ['scripts/run.mjs', 'echo.ts']],
    ['when the npm that started it is killed', 'SIGKILL', ['-e', runScript]],
  ] as const)('ends with its npm %s, and runs again the next time', async (_, signal, args) => {
    project.put('hold')
    const { child, ended } = project.startNode(args, { npm_lifecycle_event: 'start' })
    await npmStarted()
    child.kill(signal)
    expect(await ended).toEqual({ code: null, signal, stdout: '', stderr: NOTE })
    await expect.poll(() => project.npmRuns().some(isAlive)).toBe(false)
    project.remove('hold')
    expect(await project.run('echo.ts', 'a')).toEqual(echoed('a', NOTE))
  })
})

describe.skipIf(onWindows)('the script', () => {
  let project: ReturnType<typeof newProject>
  beforeAll(async () => {
    project = newProject(atFileEnd)
    await project.run('echo.ts')
  })

  test('runs with the project’s Node, which is also first on its path, and sets the exit code', async () => {
    project.put('path.ts', "console.log(process.env['PATH']?.split(':')[0]); process.exit(42)")
    const stdout = `${join(project.root, 'node_modules', nodePackage, 'bin')}\n`
    expect(await project.run('path.ts')).toEqual({ code: 42, signal: null, stdout, stderr: '' })
    expect((await project.run('nowhere.ts')).code).toBe(1)
  })

  test('sets the signal that ends the process', async () => {
    const fatal = "process.kill(process.pid, 'SIGTERM'); setTimeout(() => {}, 9999)"
    expect(await project.run('-e', fatal)).toMatchObject({ code: null, signal: 'SIGTERM' })
  })

  test.each([
    ['SIGINT', 'SIGINT'],
    ['SIGTERM', 'SIGTERM'],
    ['SIGHUP', 'SIGTERM'],
  ] as const)('receives %s as %s, once, and may end later', async (sent, received) => {
    project.put(
      'slow.ts',
      `let count = 0
      for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => {
        count += 1
        setTimeout(() => { console.log(signal, count); process.exit(3) }, 50)
      })
      setInterval(() => {}, 1000)
      require('node:fs').writeFileSync('ready-${sent}', '')`,
    )
    const { child, ended } = project.start('slow.ts')
    await vi.waitUntil(() => project.has(`ready-${sent}`), 60_000)
    child.kill(sent)
    expect(await ended).toMatchObject({ code: 3, signal: null, stdout: `${received} 1\n` })
  })

  test('prints what to do in one line if the project’s Node does not start', async () => {
    const file = join('node_modules', nodePackage, 'bin/node')
    project.remove(file)
    project.put(file, 'for another machine')
    const { code, stderr } = await project.run('echo.ts')
    expect(code).toBe(1)
    expect(stderr).toMatch(
      /^The project's Node does not start .* Delete node_modules and try again\.\n$/,
    )
  })

  test('without a script, prints the usage', async () => {
    const stderr = expect.stringMatching(/^Usage/)
    expect(await project.run()).toMatchObject({ code: 1, stdout: '', stderr })
  })
})

test('the packages with the executable have the version of the dev dependency node, and a digest', () => {
  const { devDependencies, optionalDependencies } = JSON.parse(readFileSync('package.json', 'utf8'))
  const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8'))
  expect(Object.keys(optionalDependencies)).toHaveLength(5)
  for (const [name, specifier] of Object.entries(optionalDependencies)) {
    const { version, integrity = 'none' } = packages[`node_modules/${name}`]
    expect([specifier, version], name).toEqual([
      expect.stringMatching(`@${version}$`),
      devDependencies.node,
    ])
    expect(integrity, name).toMatch(name.includes('darwin') ? /^none$/ : /^sha512-/)
  }
})
