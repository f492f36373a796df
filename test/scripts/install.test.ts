import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import fs from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { isAlive } from '../../scripts/install.mjs'
import { newFolder, run } from '../support/command-fixture.ts'
import { atFileEnd } from '../support/vitest/at-file-end.ts'
import { onWindows } from '../support/vitest/windows.ts'

const { platform, arch, execPath, env } = process
const nodeFolder = `node_modules/@node/${platform}-${arch}`
const NOTE = 'Installing dependencies (once, about a minute)…\n'

/** The folder of a project with the installer of this one, and with few packages, which are one file in it. */
const root = newFolder(atFileEnd)
const path = (name: string) => join(root, name)
const has = (name: string) => fs.existsSync(path(name))
const remove = (name: string) => fs.rmSync(path(name), { recursive: true })
const put = (name: string, content = '', mode = 0o644) => {
  fs.mkdirSync(dirname(path(name)), { recursive: true })
  fs.writeFileSync(path(name), content, { mode })
}

/** Writes packages of another version, and package-lock.json for them, with the digest of the project's Node. */
function changePackages(integrity?: string): void {
  const resolved = 'file:a.tgz'
  const packed = { name: 'a', version: `1.0.${Date.now()}`, resolved }
  const packages = {
    '': {
      devDependencies: { tool: resolved },
      optionalDependencies: { [nodeFolder.replace('node_modules/', '')]: resolved },
    },
    [nodeFolder]: { ...packed, integrity, optional: true, os: platform },
    'node_modules/tool': { ...packed, devOptional: true, optionalDependencies: { b: resolved } },
    // npm notes that it is optional, and omits it with the development dependencies.
    'node_modules/b': { ...packed, optional: true, os: platform },
  }
  put('package.json', JSON.stringify(packages['']))
  put('package-lock.json', JSON.stringify({ lockfileVersion: 3, requires: true, packages }))
  put('package/package.json', JSON.stringify(packed))
  put('package/bin/node', `#!/bin/sh\nexec ${execPath} "$@"\n`, 0o755)
  execFileSync('tar', ['-czf', 'a.tgz', 'package'], { cwd: root })
}

const start = (args: readonly string[], file = 'scripts/run.mjs') => {
  const PATH = `${path('fake')}:${env['PATH']}`
  const variables = { PATH, npm_config_cache: path('cache'), npm_lifecycle_event: 'start' }
  return run(relative('', path(file)), args, variables, atFileEnd)
}
const command = (...args: string[]) => start(args).ended

/** Starts a command whose npm waits until the file `hold` is removed. Returns it, and the process ids of both. */
async function startHeld(...command: Parameters<typeof start>) {
  changePackages()
  remove('.build/installing')
  put('hold')
  const running = start(...command)
  const pids = await vi.waitUntil(() => {
    const found = fs.globSync('*', { cwd: path('.build/installing') })
    return found.length === 2 && found
  }, 60_000)
  return { ...running, pids }
}

/** The result of a command that has echoed a word. */
const echoed = (word: string, stderr = '') => ({ code: 0, stdout: `${word}\n`, stderr })

describe.skipIf(onWindows)('the install', () => {
  beforeAll(async () => {
    fs.cpSync('scripts', path('scripts'), { recursive: true })
    const npm = execFileSync('which', ['npm'], { encoding: 'utf8' }).trim()
    // It waits as long as there is a file `hold`, and ends at no signal, before it is npm.
    const waiting = "trap '' INT TERM HUP; while [ -e hold ]; do sleep 0.01; done"
    put('fake/npm', `#!/bin/sh\n${waiting}; exec ${npm} "$@"`, 0o755)
    put('echo.ts', 'console.log(process.argv.slice(2).join() as string)')
    changePackages()
    expect(await command('echo.ts', 'a')).toEqual(echoed('a', NOTE))
  })

  test('runs once, before the script with the project’s Node, and again for development, beside a running service', async () => {
    changePackages()
    expect(await command('--omit=dev', 'echo.ts', 'a', 'b')).toEqual(echoed('a,b', NOTE))
    const script = "console.log(process.env['PATH'].split(':')[0]); process.exit(42)"
    const ended = { code: 42, stdout: `${path(nodeFolder)}/bin\n`, stderr: '' }
    expect(await command('--omit=dev', '-e', script)).toEqual(ended)
    expect(has('node_modules/tool')).toBe(false)
    put(`${nodeFolder}/used-by-a-running-service`)
    fs.utimesSync(path(nodeFolder), 0, 0)
    expect(await command('echo.ts', 'd')).toEqual(echoed('d', NOTE))
    expect(has('node_modules/tool')).toBe(true)
    expect(has(`${nodeFolder}/used-by-a-running-service`)).toBe(true)
  })

  const breakOff = () => {
    remove('node_modules/tool/bin')
    fs.utimesSync(path('node_modules/tool'), 0, Date.now() / 1_000 + 10)
  }
  test.each([
    ['package-lock.json has changed', () => changePackages()],
    ['npm’s record is cut off', () => put('node_modules/.package-lock.json', '{"pack')],
    ['a package is missing', () => remove(nodeFolder)],
    ['half of a package is installed', breakOff],
  ])('runs again when %s', async (_, change) => {
    change()
    expect(await command('echo.ts', 'a')).toEqual(echoed('a', NOTE))
    expect([`${nodeFolder}/bin`, 'node_modules/tool/bin'].map(has)).toEqual([true, true])
  })

  test('lets other commands wait, also when only its npm still runs', async () => {
    const { child } = await startHeld(['echo.ts'])
    child.kill('SIGKILL')
    const waiting = [start(['echo.ts', 'b']), start(['echo.ts', 'c'])]
    await Promise.all(waiting.map(({ child }) => child.stderr && once(child.stderr, 'data')))
    remove('hold')
    const ended = await Promise.all(waiting.map((each) => each.ended))
    const note = 'Waiting for another command to finish installing…\n'
    expect(ended).toEqual([echoed('b', note), echoed('c', note)])
  })

  test('ends with its npm when the npm that started it in a shell is killed', async () => {
    const line = `${execPath} ${path('scripts/run.mjs')} echo.ts; exit $?`
    const spawning = `spawn('sh', ['-c', '${line}'], { stdio: 'inherit' })`
    put('npm.mjs', `import { spawn } from 'node:child_process'; ${spawning}`)
    const { child, ended, pids } = await startHeld([], 'npm.mjs')
    child.kill('SIGKILL')
    await ended
    expect(pids.filter(isAlive)).toEqual([])
    remove('hold')
  })

  test.runIf(platform === 'linux')('does not wait for a process that has ended', async () => {
    // Its child ends, and it takes no notice.
    const parent = spawn('sh', ['-c', 'true & echo $!; exec sleep 600'])
    onTestFinished(() => void parent.kill())
    const [zombie] = await once(parent.stdout, 'data')
    put(`.build/installing/${Number(zombie)}`)
    // The id of a process that has ended is now that of this one.
    put(`.build/installing/${process.pid}`)
    fs.utimesSync(path(`.build/installing/${process.pid}`), 0, 0)
    changePackages()
    expect(await command('echo.ts', 'a')).toEqual(echoed('a', NOTE))
  })

  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const
  test.each(signals)('passes %s on (SIGHUP as SIGTERM), and ends as the script', async (sent) => {
    const script = `for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => {
        console.log(signal)
        process.removeAllListeners('SIGTERM')
        setTimeout(() => process.kill(process.pid, 'SIGTERM'), 99)
      })
      setInterval(() => console.log('ready'), 50)`
    const { child, ended, output } = start(['-e', script])
    await vi.waitUntil(() => output() !== '', 60_000)
    child.kill(sent)
    expect((await ended).stdout.match(/SIG.*/g)).toEqual([sent.replace('HUP', 'TERM')])
    expect(child.signalCode).toBe('SIGTERM')
  })

  test('prints what to do if it fails, and installs no Node with another digest than that of package-lock.json', async () => {
    const failed = (stderr: unknown) => ({ code: 1, stdout: '', stderr })
    expect(await command()).toEqual(failed(expect.stringMatching(/^Usage/)))
    remove(`${nodeFolder}/bin/node`)
    const noNode = /^The project's Node does not start .* Delete .* try again\.\n$/
    expect(await command('echo.ts')).toEqual(failed(expect.stringMatching(noNode)))
    changePackages()
    remove('a.tgz')
    const noPackage = /a\.tgz.*\nInstalling dependencies failed: npm ci .*again\.\n$/s
    expect(await command('echo.ts')).toEqual(failed(expect.stringMatching(noPackage)))
    changePackages(`sha512-${'A'.repeat(86)}==`)
    expect(await command('echo.ts')).toEqual(
      failed(
        `${NOTE}npm has not installed ${nodeFolder}: the registry lacks it, or its digest is not that of package-lock.json.\n`,
      ),
    )
  })
})

test('the packages with the executable have the version of the dev dependency node, and a digest', () => {
  const read = (name: string) => JSON.parse(fs.readFileSync(name, 'utf8'))
  const { devDependencies, optionalDependencies } = read('package.json')
  const { packages } = read('package-lock.json')
  const { node } = devDependencies
  for (const [name, specifier] of Object.entries<string>(optionalDependencies)) {
    const { version, integrity } = packages[`node_modules/${name}`]
    expect([version, specifier.split('@').at(-1)], name).toEqual([node, node])
    expect(integrity === undefined, name).toBe(name.includes('darwin'))
  }
})
