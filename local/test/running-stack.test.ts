import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { newFolder, run } from '../../test/support/command-fixture.ts'
import { noteRunning, noteStopped, runningStack } from '../running-stack.ts'

const userJwtKey = { keyId: 'k', issuer: 'i', audience: 'a', region: 'r' }

test('a second stack on a folder leaves the note of the first one', async () => {
  const folder = newFolder()
  const first = { pid: process.ppid, url: 'http://127.0.0.1:1', userJwtKey }
  const second = { pid: process.pid, url: 'http://127.0.0.1:2', userJwtKey }
  expect(await noteRunning(folder, first)).toBeUndefined()
  expect(await noteRunning(folder, second)).toEqual(first)
  await noteStopped(folder)
  expect(await runningStack(folder)).toEqual(first)
})

test('a stack replaces the note of a stack that has ended', async () => {
  const folder = newFolder()
  const ended = run('scripts/user-token.ts', ['--help'])
  await ended.ended
  const note = { pid: ended.child.pid, url: 'http://127.0.0.1:1', userJwtKey }
  writeFileSync(join(folder, 'running.json'), JSON.stringify(note))
  const next = { pid: process.pid, url: 'http://127.0.0.1:2', userJwtKey }
  expect(await noteRunning(folder, next)).toBeUndefined()
  expect(await runningStack(folder)).toEqual(next)
})
