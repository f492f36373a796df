import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import fs, { readFileSync, utimesSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { isAlive } from '../../scripts/install.mjs'
import { newFolder, type OnEnd, run } from '../support/command-fixture.ts'
import { atFileEnd } from '../support/vitest/at-file-end.ts'
import { onWindows } from '../support/vitest/windows.ts'

const { platform, arch, execPath, env } = process
const nodeName = `@node/${platform}-${arch}`
const nodeFolder = `node_modules/${nodeName}`

/** A project with the installer of this one, and with few packages, which are one file in its folder. */
function newProject(onEnd: OnEnd = onTestFinished) {
  const root = newFolder(onEnd)
  const path = (name: string) => join(root, name)
  const has = (name: string) => fs.existsSync(path(name))
  const put = (name: string, content = '', mode = 0o644) => {
    fs.mkdirSync(dirname(path(name)), { recursive: true })
    fs.writeFileSync(path(name), content, { mode })
  }

  /** Packs a package, and writes package.json and package-lock.json, with the digest of the project's Node. */
  const lock = (version = '1.0.0', integrity?: string) => {
    const resolved = 'file:a.tgz'
    const packed = { name: 'a', version, resolved }
    const kinds = {
      devDependencies: { tool: resolved },
      optionalDependencies: { [nodeName]: resolved },
    }
    const packages = {
      '': kinds,
      [nodeFolder]: { ...packed, integrity, optional: true, os: platform },
      'node_modules/tool': { ...packed, devOptional: true, optionalDependencies: { b: resolved } },
      // npm notes that it is optional, and omits it with the development dependencies.
      'node_modules/b': { ...packed, optional: true, os: platform },
    }
    put('package.json', JSON.stringify(kinds))
    put('package-lock.json', JSON.stringify({ lockfileVersion: 3, requires: true, packages }))
    put('package/package.json', JSON.stringify({ name: 'a', version }))
    put('package/bin/node', `#!/bin/sh\nexec ${execPath} "$@"\n`, 0o755)
    execFileSync('tar', ['-czf', 'a.tgz', 'package'], { cwd: root })
  }

  const start = (args: readonly string[], file = 'scripts/run.mjs') => {
    const PATH = `${root}/fake:${env['PATH']}`
    const variables = { PATH, npm_config_cache: path('cache'), npm_lifecycle_event: 'start' }
    return run(relative('', path(file)), args, variables, onEnd)
  }
  /** Waits until a command waits for npm, and returns the process ids of both. */
  const npmStarted = () =>
    vi.waitUntil(() => {
      const pids = fs.globSync('*', { cwd: path('.build/installing') })
      return pids.length === 2 && pids
    }, 60_000)

  fs.cpSync('scripts', path('scripts'), { recursive: true })
  const npm = execFileSync('which', ['npm'], { encoding: 'utf8' }).trim()
  // It waits as long as there is a file `hold`, and ends at no signal, before it is npm.
  put(
    'fake/npm',
    `#!/bin/sh\ntrap '' INT TERM HUP; while [ -e hold ]; do sleep 0.01; done; exec ${npm} "$@"`,
    0o755,
  )
  put('echo.ts', 'console.log(process.argv.slice(2).join() as string)')
  lock()
  const command = (...args: string[]) => start(args).ended
  return { path, has, put, lock, start, command, npmStarted }
}

const NOTE = 'Installing dependencies (once, about a minute)…\n'
const WAITING = 'Waiting for another command to finish installing…\n'

/** The result of a command that has echoed a word. */
const echoed = (word: string, stderr = '') => ({ code: 0, stdout: `${word}\n`, stderr })

describe.skipIf(onWindows)('the install', () => {
  let installed: ReturnType<typeof newProject>
  beforeAll(async () => {
    installed = newProject(atFileEnd)
    expect(await installed.command('echo.ts', 'a')).toEqual(echoed('a', NOTE))
  })
  const remove = (name: string) => fs.rmSync(installed.path(name), { recursive: true })

  test('runs once, and adds the development dependencies later, beside a running service', async () => {
    const project = newProject()
    expect(await project.command('--omit=dev', 'echo.ts', 'a', 'b')).toEqual(echoed('a,b', NOTE))
    expect(await project.command('--omit=dev', 'echo.ts', 'c')).toEqual(echoed('c'))
    expect(project.has('node_modules/tool')).toBe(false)
    project.put(`${nodeFolder}/used-by-a-running-service`)
    utimesSync(project.path(nodeFolder), 0, 0)
    expect(await project.command('echo.ts', 'd')).toEqual(echoed('d', NOTE))
    expect(project.has('node_modules/tool')).toBe(true)
    expect(project.has(`${nodeFolder}/used-by-a-running-service`)).toBe(true)
  })

  const breakOff = () => {
    remove('node_modules/tool/bin')
    utimesSync(installed.path('node_modules/tool'), 0, Date.now() / 1_000 + 10)
  }
  test.each([
    ['package-lock.json has changed', () => installed.lock('1.0.1')],
    ['npm’s record is cut off', () => installed.put('node_modules/.package-lock.json', '{"pack')],
    ['a package is missing', () => remove(nodeFolder)],
    ['half of a package is installed', breakOff],
  ])('runs again when %s', async (_, change) => {
    change()
    expect(await installed.command('echo.ts', 'a')).toEqual(echoed('a', NOTE))
    expect(installed.has(`${nodeFolder}/bin`)).toBe(true)
    expect(installed.has('node_modules/tool/bin')).toBe(true)
  })

  test('prints what to do if it fails, and installs no Node with another digest than that of package-lock.json', async () => {
    const project = newProject()
    fs.rmSync(project.path('a.tgz'))
    const { stderr, ...failed } = await project.command('echo.ts')
    expect(failed).toEqual({ code: 1, stdout: '' })
    expect(stderr).toMatch(/a\.tgz.*\nInstalling dependencies failed: npm ci .*again\.\n$/s)
    installed.lock('1.0.1', `sha512-${'A'.repeat(86)}==`)
    expect((await installed.command('echo.ts')).stderr).toBe(
      `${NOTE}npm has not installed ${nodeFolder}: the registry lacks it, or its digest is not that of package-lock.json.\n`,
    )
  })

  test('lets other commands wait, also when only its npm still runs', async () => {
    const project = newProject()
    project.put('hold')
    const { child } = project.start(['echo.ts'])
    await project.npmStarted()
    child.kill('SIGKILL')
    const waiting = [project.start(['echo.ts', 'b']), project.start(['echo.ts', 'c'])]
    await Promise.all(waiting.map(({ child }) => child.stderr && once(child.stderr, 'data')))
    fs.rmSync(project.path('hold'))
    expect(await waiting[0]?.ended).toEqual(echoed('b', WAITING))
    expect(await waiting[1]?.ended).toEqual(echoed('c', WAITING))
  })

  test.runIf(platform === 'linux')('does not wait for a process that has ended', async () => {
    // Its child ends, and it takes no notice.
    const parent = spawn('sh', ['-c', 'true & echo $!; exec sleep 600'])
    onTestFinished(() => void parent.kill())
    const [zombie] = await once(parent.stdout, 'data')
    installed.put(`.build/installing/${Number(zombie)}`)
    // The id of a process that has ended is now that of this one.
    installed.put(`.build/installing/${process.pid}`)
    utimesSync(installed.path(`.build/installing/${process.pid}`), 0, 0)
    installed.lock('1.0.2')
    expect(await installed.command('echo.ts', 'a')).toEqual(echoed('a', NOTE))
  })

  test('ends with its npm when the npm that started it in a shell is killed', async () => {
    const project = newProject()
    const line = `${execPath} ${project.path('scripts/run.mjs')} echo.ts; exit $?`
    const spawning = `spawn('sh', ['-c', '${line}'], { stdio: 'inherit' })`
    project.put('npm.mjs', `import { spawn } from 'node:child_process'; ${spawning}`)
    project.put('hold')
    const { child, ended } = project.start([], 'npm.mjs')
    const pids = await project.npmStarted()
    child.kill('SIGKILL')
    await ended
    expect(pids.filter(isAlive)).toEqual([])
  })

  test('is followed by the script, with the project’s Node, which is also first on its path', async () => {
    const script = "console.log(process.env['PATH'].split(':')[0]); process.exit(42)"
    const stdout = `${installed.path(nodeFolder)}/bin\n`
    expect(await installed.command('-e', script)).toEqual({ code: 42, stdout, stderr: '' })
  })

  test.each([
    ['SIGINT', 'SIGINT'],
    ['SIGTERM', 'SIGTERM'],
    ['SIGHUP', 'SIGTERM'],
  ] as const)('passes %s on as %s, and ends as the script', async (sent, received) => {
    const script = `for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => {
        console.log(signal)
        process.removeAllListeners('SIGTERM')
        setTimeout(() => process.kill(process.pid, 'SIGTERM'), 99)
      })
      setInterval(() => console.log('ready'), 50)`
    const { child, ended, output } = installed.start(['-e', script])
    await vi.waitUntil(() => output() !== '', 60_000)
    child.kill(sent)
    expect((await ended).stdout.match(/SIG.*/g)).toEqual([received])
    expect(child.signalCode).toBe('SIGTERM')
  })

  test('prints what to do without a script, and if the project’s Node does not start', async () => {
    expect((await installed.command()).stderr).toMatch(/^Usage/)
    remove(`${nodeFolder}/bin/node`)
    const { code, stderr } = await installed.command('echo.ts')
    expect(code).toBe(1)
    expect(stderr).toMatch(/^The project's Node does not start .* Delete .* try again\.\n$/)
  })
})

test('the packages with the executable have the version of the dev dependency node, and a digest', () => {
  const { devDependencies, optionalDependencies } = JSON.parse(readFileSync('package.json', 'utf8'))
  const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8'))
  const { node } = devDependencies
  for (const [name, specifier] of Object.entries(optionalDependencies)) {
    const { version, integrity } = packages[`node_modules/${name}`]
    expect([version, specifier], name).toEqual([node, expect.stringMatching(`@${node}$`)])
    expect(integrity === undefined, name).toBe(name.includes('darwin'))
  }
})
