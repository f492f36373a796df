import { chmodSync, mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, test } from 'vitest'
import { onWindows } from '../support/vitest/windows.ts'
import { newProject, nodePackage, nodeScript, until } from './project-fixture.ts'

let project: Awaited<ReturnType<typeof newProject>>

describe.skipIf(onWindows)('the script', () => {
  beforeEach(async () => {
    project = await newProject()
    // What npm would install.
    const record = readFileSync(join(project.root, 'package-lock.json'), 'utf8')
    for (const path of Object.keys(JSON.parse(record).packages)) {
      mkdirSync(join(project.root, path, 'bin'), { recursive: true })
    }
    project.put(`node_modules/${nodePackage}/bin/node`, nodeScript)
    chmodSync(join(project.root, `node_modules/${nodePackage}/bin/node`), 0o755)
    project.put('node_modules/.package-lock.json', record)
  })

  test('runs with the project’s Node, which is also first on its path', async () => {
    project.put('path.ts', "console.log(process.env['PATH']?.split(':')[0])")
    const { stdout } = await project.run('path.ts')
    expect(stdout).toBe(`${join(project.root, 'node_modules', nodePackage, 'bin')}\n`)
  })

  test('sets the exit code', async () => {
    expect(await project.run('-e', 'process.exit(42)')).toMatchObject({ code: 42, signal: null })
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
      require('node:fs').writeFileSync('ready', '')`,
    )
    const { child, ended } = project.start('slow.ts')
    await until(() => project.has('ready'))
    child.kill(sent)
    expect(await ended).toMatchObject({ code: 3, signal: null, stdout: `${received} 1\n` })
  })

  test('fails if it does not exist', async () => {
    expect((await project.run('nowhere.ts')).code).toBe(1)
  })

  test('prints what to do in one line if the project’s Node does not start', async () => {
    project.remove(`node_modules/${nodePackage}/bin/node`)
    project.put(`node_modules/${nodePackage}/bin/node`, 'for another machine')
    const { code, stderr } = await project.run('echo.ts')
    expect(code).toBe(1)
    expect(stderr).toMatch(
      /^The project's Node does not start .* Delete node_modules and try again\.\n$/,
    )
  })
})

test('without a script, prints the usage', async () => {
  project = await newProject()
  const usage = expect.stringMatching(/^Usage/)
  expect(await project.run()).toMatchObject({ code: 1, stdout: '', stderr: usage })
})
