import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { newFolder, run } from '../support/command-fixture.ts'

test('npm run build:site writes the site with the address of its repository, and only to an empty folder', async () => {
  const folder = join(newFolder(), 'new')
  const build = (...args: string[]) =>
    run('scripts/build-site.ts', args, { GITHUB_REPOSITORY: 'owner/name' }).ended
  expect(await build(folder)).toMatchObject({ code: 0, stderr: '' })
  const start = readFileSync(join(folder, 'index.html'), 'utf8')
  expect(start).toContain('<meta http-equiv="Content-Security-Policy"')
  expect(start).toContain('href="https://github.com/owner/name/edit/main/README.md"')
  for (const [, file = ''] of start.matchAll(/ src="([^"]+)"/g)) {
    expect([file, existsSync(join(folder, file))]).toEqual([file, true])
  }
  const own = join(folder, 'index.html')
  writeFileSync(own, 'mine')
  const [again, nowhere] = await Promise.all([build(folder), build()])
  expect(again).toMatchObject({ code: 1, stderr: expect.stringContaining('has files already') })
  expect(readFileSync(own, 'utf8')).toBe('mine')
  expect(nowhere).toMatchObject({ code: 1, stderr: expect.stringContaining('Usage: npm run') })
})
