import { readFileSync, utimesSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { isAlive } from '../../scripts/install.mjs'
import { onWindows } from '../support/vitest/windows.ts'
import { newProject, nodePackage } from './project-fixture.ts'

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

  const npmStarted = () => vi.waitUntil(() => project.npmRuns().length > 0, 60_000)

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
