import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { expect, inject, onTestFinished, test } from 'vitest'
import type { ApiTestRequest } from '../../../scripts/account-trial/api-tests.ts'

const program = join(import.meta.dirname, '../../../scripts/account-trial/api-tests-process.ts')

test('the API tests end with a trial that is killed', { timeout: 60_000 }, async () => {
  const child = fork(program, { silent: true })
  onTestFinished(() => {
    child.kill('SIGKILL')
  })
  const request: ApiTestRequest = { target: inject('target'), options: { exceptions: [] } }
  child.send(request)
  let output = ''
  while (!output.includes('── Test')) output += (await once(child.stdout as never, 'data'))[0]
  child.disconnect()
  expect(await once(child, 'exit')).toEqual([1, null])
})
