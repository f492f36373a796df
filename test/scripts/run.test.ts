import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import {
  cp,
  mkdir,
  mkdtemp,
  readFile,
  realpath,
  rm,
  symlink,
  utimes,
  writeFile,
} from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { onWindows } from '../support/vitest/windows.ts'

/**
 * Replaces npm: records each call as `ci`, `install` or, in the folder of the Node, `node`, and installs npm's
 * record and the packages, or this process's Node.
 */
const FAKE_NPM = `
const fs = require('node:fs')
const [command, ...options] = process.argv.slice(2)
const call = process.cwd() === __dirname ? command : 'node'
const kinds = options.includes('--omit=dev') ? ' --omit=dev' : ''
fs.appendFileSync(__dirname + '/calls', call + kinds + '\\n')
console.log('npm talks')
const waiting = setInterval(() => {
  if (fs.existsSync(__dirname + '/hold')) return
  clearInterval(waiting)
  if (fs.existsSync(__dirname + '/no-network')) process.exit(7)
  if (call === 'node') {
    const [name] = Object.keys(require(process.cwd() + '/package.json').dependencies)
    fs.mkdirSync('node_modules/' + name + '/bin', { recursive: true })
    fs.symlinkSync(process.execPath, 'node_modules/' + name + '/bin/node')
    return
  }
  if (call === 'rebuild') return
  if (call === 'ci') fs.rmSync('node_modules', { recursive: true, force: true })
  const lock = JSON.parse(fs.readFileSync('package-lock.json', 'utf8'))
  for (const [path, { dev }] of Object.entries(lock.packages)) {
    if (dev && kinds) delete lock.packages[path]
    else if (path.endsWith('/a') || path.endsWith('/tool')) fs.mkdirSync(path, { recursive: true })
  }
  fs.writeFileSync('node_modules/.package-lock.json', JSON.stringify(lock))
}, 5)
`

let root: string
let running: ChildProcess[]

beforeEach(async () => {
  running = []
  root = await realpath(await mkdtemp(join(tmpdir(), 'run-script-')))
  await cp('scripts', join(root, 'scripts'), { recursive: true })
  await writeFile(join(root, 'npm-cli.js'), FAKE_NPM)
  await writeFile(join(root, 'echo.ts'), 'console.log(process.argv.slice(2).join() as string)')
  await lockVersion('1.0.0')
})

afterEach(async () => {
  for (const child of running) child.kill('SIGKILL')
  await rm(root, { recursive: true })
})

async function lockVersion(version: string): Promise<void> {
  const packages = {
    '': {},
    'node_modules/a': { version, integrity: 'sha512-a' },
    'node_modules/foreign': { version: '1.0.0', optional: true, os: ['beos'] },
    'node_modules/node': { version: process.versions.node, dev: true },
    'node_modules/tool': { version, dev: true },
  }
  await writeFile(join(root, 'package-lock.json'), JSON.stringify({ packages }))
}

/** Installs what npm would install. */
async function install(): Promise<void> {
  await mkdir(join(root, 'node_modules/node/bin'), { recursive: true })
  for (const name of ['a', 'tool']) await mkdir(join(root, 'node_modules', name))
  await cp(join(root, 'package-lock.json'), join(root, 'node_modules/.package-lock.json'))
  await symlink(process.execPath, join(root, 'node_modules/node/bin/node'))
}

function start(...args: string[]) {
  const { npm_node_execpath: _, ...env } = process.env
  const child = spawn(process.execPath, ['scripts/run.mjs', ...args], {
    cwd: root,
    env: { ...env, npm_execpath: join(root, 'npm-cli.js') },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  running.push(child)
  const output = Promise.all([text(child.stdout), text(child.stderr)])
  const ended = once(child, 'exit').then(async ([code, signal]) => {
    const [stdout, stderr] = await output
    return { code, signal, stdout, stderr }
  })
  return { child, ended }
}

const run = (...args: string[]) => start(...args).ended
const put = (name: string, content = '') => writeFile(join(root, name), content)
const remove = (name: string) => rm(join(root, name), { recursive: true, force: true })
/** The calls of npm, sorted, because two of them run at the same time. */
const npmCalls = async () => (await readFile(join(root, 'calls'), 'utf8')).trim().split('\n').sort()

async function appeared(name: string): Promise<void> {
  while (!existsSync(join(root, name))) await sleep(5)
}

/** Waits until npm installs the packages and the Node. */
async function bothStarted(): Promise<void> {
  await appeared('calls')
  while ((await npmCalls()).length < 2) await sleep(5)
}

describe.skipIf(onWindows)('the install', () => {
  const NOTE = 'Installing dependencies (once, about a minute)…\n'

  test('runs once, and writes nothing to standard output', async () => {
    expect(await run('echo.ts', 'a', 'b')).toMatchObject({ code: 0, stdout: 'a,b\n', stderr: NOTE })
    expect(await run('echo.ts', 'c')).toMatchObject({ code: 0, stdout: 'c\n', stderr: '' })
    expect(await npmCalls()).toEqual(['ci', 'node', 'rebuild'])
  })

  test('with --omit=dev, leaves out the development dependencies until a command needs them', async () => {
    expect(await run('--omit=dev', 'echo.ts', 'a')).toMatchObject({ stdout: 'a\n', stderr: NOTE })
    expect(existsSync(join(root, 'node_modules/tool'))).toBe(false)
    expect(await run('--omit=dev', 'echo.ts', 'b')).toMatchObject({ stdout: 'b\n', stderr: '' })
    await put('node_modules/a/used-by-a-running-service')
    await utimes(join(root, 'node_modules/a'), 0, 0)
    expect(await run('echo.ts', 'c')).toMatchObject({ stdout: 'c\n', stderr: NOTE })
    expect(existsSync(join(root, 'node_modules/tool'))).toBe(true)
    expect(existsSync(join(root, 'node_modules/a/used-by-a-running-service'))).toBe(true)
    expect(await npmCalls()).toEqual(['ci --omit=dev', 'install', 'node', 'rebuild'])
  })

  test('runs again when package-lock.json has changed', async () => {
    await install()
    await lockVersion('2.0.0')
    expect(await run('echo.ts')).toMatchObject({ code: 0, stderr: NOTE })
    expect(await npmCalls()).toEqual(['ci', 'node', 'rebuild'])
  })

  test.each([
    'node_modules/.package-lock.json',
    'node_modules/node/bin/node',
    'node_modules/a',
    'node_modules',
  ])('runs again when %s is missing after an interrupted install', async (name) => {
    await install()
    await remove(name)
    expect(await run('echo.ts', 'a')).toMatchObject({ code: 0, stdout: 'a\n', stderr: NOTE })
  })

  test('runs again when a package is newer than npm’s record', async () => {
    await install()
    const later = Date.now() / 1_000 + 10
    await utimes(join(root, 'node_modules/a'), later, later)
    expect(await run('echo.ts')).toMatchObject({ code: 0, stderr: NOTE })
    expect(await npmCalls()).toEqual(['ci', 'node', 'rebuild'])
  })

  test('runs again when npm’s record is incomplete', async () => {
    await install()
    await put('node_modules/.package-lock.json', '{"packages":')
    expect(await run('echo.ts', 'a')).toMatchObject({ code: 0, stdout: 'a\n', stderr: NOTE })
  })

  test('prints npm’s output and what to do if it fails, and runs again the next time', async () => {
    await put('no-network')
    const { code, stdout, stderr } = await run('echo.ts')
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
    expect(stderr).toContain('npm talks')
    expect(stderr).toMatch(/\nInstalling dependencies failed: npm ci ended with 7\..*again\.\n$/)
    await remove('no-network')
    expect(await run('echo.ts', 'a')).toMatchObject({ code: 0, stdout: 'a\n' })
  })

  test('lets a second process wait for it', async () => {
    await put('hold')
    const first = start('echo.ts', 'first')
    await appeared('calls')
    const second = start('echo.ts', 'second')
    await once(second.child.stderr, 'data')
    await remove('hold')
    expect((await first.ended).stdout).toBe('first\n')
    const waiting = 'Waiting for another command to finish installing…\n'
    expect(await second.ended).toMatchObject({ stdout: 'second\n', stderr: waiting })
    expect(await npmCalls()).toEqual(['ci', 'node', 'rebuild'])
  })

  test('waits for the npm of a process that was killed', async () => {
    await put('hold')
    const first = start('echo.ts')
    await bothStarted()
    first.child.kill('SIGKILL')
    const second = start('echo.ts', 'a')
    await once(second.child.stderr, 'data')
    await remove('hold')
    expect(await second.ended).toMatchObject({ code: 0, stdout: 'a\n' })
    // The killed process would have moved the Node to node_modules.
    expect(await npmCalls()).toEqual(['ci', 'node', 'node', 'rebuild'])
  })

  test('ignores the lock of a process that has ended', async () => {
    const { child, ended } = start()
    await ended
    await put('.install-lock', `${child.pid}`)
    expect(await run('echo.ts', 'a')).toMatchObject({ code: 0, stdout: 'a\n' })
    expect(existsSync(join(root, '.install-lock'))).toBe(false)
  })

  test('ends on SIGINT together with npm', async () => {
    await put('hold')
    const { child, ended } = start('echo.ts')
    await bothStarted()
    child.kill('SIGINT')
    // Standard error closes when the last process that has it open ends.
    expect(await ended).toMatchObject({ code: null, signal: 'SIGINT', stdout: '' })
    expect(existsSync(join(root, '.install-lock'))).toBe(false)
    await remove('hold')
    expect(await run('echo.ts', 'a')).toMatchObject({ code: 0, stdout: 'a\n' })
    expect(await npmCalls()).toEqual(['ci', 'ci', 'node', 'node', 'rebuild'])
  })
})

describe.skipIf(onWindows)('the script', () => {
  beforeEach(install)

  test('runs with the project’s Node, which is also first on its path', async () => {
    await put('path.ts', "console.log(process.env['PATH']?.split(':')[0])")
    const { stdout } = await run('path.ts')
    expect(stdout).toBe(`${join(root, 'node_modules', 'node', 'bin')}\n`)
  })

  test('sets the exit code', async () => {
    expect(await run('-e', 'process.exit(42)')).toMatchObject({ code: 42, signal: null })
  })

  test('sets the signal that ends the process', async () => {
    const fatal = "process.kill(process.pid, 'SIGTERM'); setTimeout(() => {}, 9999)"
    expect(await run('-e', fatal)).toMatchObject({ code: null, signal: 'SIGTERM' })
  })

  test.each([
    ['SIGINT', 'SIGINT'],
    ['SIGTERM', 'SIGTERM'],
    ['SIGHUP', 'SIGTERM'],
  ] as const)('receives %s as %s, once, and may end later', async (sent, received) => {
    await put(
      'slow.ts',
      `let count = 0
      for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => {
        count += 1
        setTimeout(() => { console.log(signal, count); process.exit(3) }, 50)
      })
      setInterval(() => {}, 1000)
      require('node:fs').writeFileSync('ready', '')`,
    )
    const { child, ended } = start('slow.ts')
    await appeared('ready')
    child.kill(sent)
    expect(await ended).toMatchObject({ code: 3, signal: null, stdout: `${received} 1\n` })
  })

  test('fails if it does not exist', async () => {
    expect((await run('nowhere.ts')).code).toBe(1)
  })
})

test('without a script, prints the usage', async () => {
  expect(await run()).toMatchObject({
    code: 1,
    stdout: '',
    stderr: expect.stringMatching(/^Usage/),
  })
})

test.skipIf(onWindows)(
  'prints what to do in one line if the project’s Node does not start',
  async () => {
    await install()
    await remove('node_modules/node/bin/node')
    await put('node_modules/node/bin/node', 'for another machine')
    const { code, stderr } = await run('echo.ts')
    expect(code).toBe(1)
    expect(stderr).toMatch(
      /^The project's Node does not start .* Delete node_modules and try again\.\n$/,
    )
  },
)
