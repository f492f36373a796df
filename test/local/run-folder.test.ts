import { existsSync, readdirSync } from 'node:fs'
import { expect, onTestFinished, test, vi } from 'vitest'
import { createRunFolder } from '../../local/run-folder.ts'
import { newFolder } from '../support/command-fixture.ts'

test('the folder of a run is empty: content that is copied into it cannot replace its lock', async () => {
  const temporary = newFolder()
  vi.stubEnv('TMPDIR', temporary)
  onTestFinished(() => void vi.unstubAllEnvs())
  const folder = await createRunFolder()
  expect(readdirSync(folder.path)).toEqual([])
  const next = await createRunFolder()
  expect(existsSync(folder.path)).toBe(true)
  await next.remove()
  await folder.remove()
  expect(readdirSync(temporary)).toEqual([])
})
