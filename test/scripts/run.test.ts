import { chmodSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, test, vi } from 'vitest'
import { atFileEnd } from '../support/vitest/at-file-end.ts'
import { onWindows } from '../support/vitest/windows.ts'
import { newProject, nodePackage } from './project-fixture.ts'

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
    const file = join(project.root, 'node_modules', nodePackage, 'bin/node')
    writeFileSync(file, 'for another machine')
    chmodSync(file, 0o644)
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
