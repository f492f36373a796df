import { execFileSync } from 'node:child_process'
import { readFileSync, utimesSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, test } from 'vitest'
import { onWindows } from '../support/vitest/windows.ts'
import { newProject, nodePackage, pack, until } from './project-fixture.ts'

let project: Awaited<ReturnType<typeof newProject>>

beforeEach(async () => {
  project = await newProject()
})

const NOTE = 'Installing dependencies (once, about a minute)…\n'
const WAITING = 'Waiting for another command to finish installing…\n'

describe.skipIf(onWindows)('the install', () => {
  const everything = ['a', 'executable', 'node', 'tool']

  test('runs once, says so on standard error, and brings the command node', async () => {
    expect(await project.run('echo.ts', 'a', 'b')).toEqual({
      code: 0,
      signal: null,
      stdout: 'a,b\n',
      stderr: NOTE,
    })
    expect(await project.run('echo.ts', 'c')).toMatchObject({ stdout: 'c\n', stderr: '' })
    expect(project.registry.sent.sort()).toEqual(everything)
    const command = join(project.root, 'node_modules/.bin/node')
    expect(execFileSync(command, ['-p', '1'], { encoding: 'utf8' })).toBe('1\n')
  })

  test('with --omit=dev, leaves out the development dependencies until a command needs them', async () => {
    expect(await project.run('--omit=dev', 'echo.ts', 'a')).toMatchObject({
      stdout: 'a\n',
      stderr: NOTE,
    })
    expect(project.registry.sent.sort()).toEqual(['a', 'executable'])
    expect(await project.run('--omit=dev', 'echo.ts', 'b')).toMatchObject({
      stdout: 'b\n',
      stderr: '',
    })
    project.put('node_modules/a/used-by-a-running-service')
    utimesSync(join(project.root, 'node_modules/a'), 0, 0)
    expect(await project.run('echo.ts', 'c')).toMatchObject({ stdout: 'c\n', stderr: NOTE })
    expect(project.registry.sent.sort()).toEqual(everything)
    expect(project.has('node_modules/a/used-by-a-running-service')).toBe(true)
  })

  test('runs again when package-lock.json has changed', async () => {
    await project.run('echo.ts')
    project.registry.packages['a'] = pack('a', { new: '' })
    project.lock()
    expect(await project.run('echo.ts')).toMatchObject({ code: 0, stderr: NOTE })
    expect(project.has('node_modules/a/bin/new')).toBe(true)
  })

  test.each<[string, () => void]>([
    ['npm’s record is missing', () => project.remove('node_modules/.package-lock.json')],
    [
      'npm’s record is cut off',
      () => project.put('node_modules/.package-lock.json', '{"packages":'),
    ],
    ['a package is missing', () => project.remove('node_modules/a')],
    [
      'a package is newer than npm’s record',
      () => utimesSync(join(project.root, 'node_modules/a'), 0, Date.now() / 1_000 + 10),
    ],
  ])('runs again when it was broken off: %s', async (_, breakOff) => {
    await project.run('echo.ts')
    breakOff()
    expect(await project.run('echo.ts', 'a')).toMatchObject({
      code: 0,
      stdout: 'a\n',
      stderr: NOTE,
    })
  })

  test('prints npm’s output and what to do if it fails, and runs again the next time', async () => {
    const { packages } = project.registry
    const { a } = packages
    Reflect.deleteProperty(packages, 'a')
    const { code, stdout, stderr } = await project.run('echo.ts')
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
    expect(stderr).toContain('404')
    expect(stderr).toMatch(/\nInstalling dependencies failed: npm ci ended with 1\..*again\.\n$/)
    Object.assign(packages, { a })
    expect(await project.run('echo.ts', 'a')).toMatchObject({ code: 0, stdout: 'a\n' })
  })

  test('lets a second process wait for it', async () => {
    project.registry.isHolding = true
    const first = project.start('echo.ts', 'first')
    await until(() => project.registry.asked > 0)
    const second = project.start('echo.ts', 'second')
    await second.noticed()
    project.registry.isHolding = false
    expect(await first.ended).toMatchObject({ stdout: 'first\n', stderr: NOTE })
    expect(await second.ended).toMatchObject({ stdout: 'second\n', stderr: WAITING })
    expect(project.registry.sent.sort()).toEqual(everything)
  })

  test('waits for the npm of a process that was killed', async () => {
    project.registry.isHolding = true
    const first = project.start('echo.ts')
    await until(() => project.registry.asked > 0)
    first.child.kill('SIGKILL')
    const second = project.start('echo.ts', 'second')
    await second.noticed()
    project.registry.isHolding = false
    expect(await second.ended).toMatchObject({ stdout: 'second\n', stderr: WAITING })
    expect(project.registry.sent.sort()).toEqual(everything)
  })

  test('ends on SIGINT together with npm, and runs again the next time', async () => {
    project.registry.isHolding = true
    const { child, ended } = project.start('echo.ts')
    await until(() => project.registry.asked > 0)
    child.kill('SIGINT')
    expect(await ended).toEqual({ code: null, signal: 'SIGINT', stdout: '', stderr: NOTE })
    await expect.poll(project.registry.connections).toBe(0)
    project.registry.isHolding = false
    expect(await project.run('echo.ts', 'a')).toMatchObject({
      code: 0,
      stdout: 'a\n',
      stderr: NOTE,
    })
  })

  test('ends together with the npm that was started', async () => {
    project.registry.isHolding = true
    const script = `child_process.spawn(process.execPath, ['scripts/run.mjs', 'echo.ts'], { stdio: 'inherit' })`
    const { child, ended } = project.startNode(['-e', script], { npm_lifecycle_event: 'start' })
    await until(() => project.registry.asked > 0)
    child.kill('SIGKILL')
    expect(await ended).toMatchObject({ signal: 'SIGKILL', stdout: '', stderr: NOTE })
    await expect.poll(project.registry.connections).toBe(0)
  })

  test('installs no Node with another digest than that of package-lock.json', async () => {
    const ran = join(project.root, 'ran')
    project.registry.packages['executable'] = pack('executable', {
      node: `#!/bin/sh\ntouch ${ran}\n`,
    })
    const { code, stderr } = await project.run('echo.ts')
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: `${NOTE}npm has not installed node_modules/${nodePackage}: the registry lacks it, or its digest is not that of package-lock.json.\n`,
    })
    expect(project.has('ran')).toBe(false)
    project.lock()
    await project.run('echo.ts')
    expect(project.has('ran')).toBe(true)
  })
})

test('the packages with the executable have the version of the dev dependency node', () => {
  const { devDependencies, optionalDependencies } = JSON.parse(readFileSync('package.json', 'utf8'))
  const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8'))
  const names = Object.keys(optionalDependencies)
  expect(names).toHaveLength(5)
  for (const name of names) {
    expect(optionalDependencies[name].split('@').at(-1), name).toBe(devDependencies.node)
    const { version, integrity } = packages[`node_modules/${name}`]
    expect({ version, integrity }, name).toEqual({
      version: devDependencies.node,
      integrity: name.includes('darwin') ? undefined : expect.stringMatching(/^sha512-/),
    })
  }
})
