import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { versionOf } from '../../../scripts/account-trial/make-trial.ts'
import { newFolder } from '../../support/command-fixture.ts'

test('the version of a trial is its commit, and says that a file differs from it', () => {
  const dir = newFolder()
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b.example', ...args], {
      cwd: dir,
    })
  git('init', '--quiet')
  writeFileSync(join(dir, 'a.txt'), 'a')
  git('add', 'a.txt')
  git('commit', '--quiet', '--message', 'a')
  git('tag', 'v1')
  const commit = git('rev-parse', '--short=12', 'HEAD').toString().trim()
  expect(versionOf(dir)).toBe(commit)
  writeFileSync(join(dir, 'a.txt'), 'b')
  expect(versionOf(dir)).toBe(`${commit}-dirty`)
})
