import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import type { ApiTestOptions } from '../../test/deployed/api-tests.ts'
import { commandEnded, commandStarted } from '../../test/deployed/run-command.ts'
import type { Target } from '../../test/support/services/service.ts'
import type { Count } from '../count.ts'

/** What the process of the API tests gets. */
export interface ApiTestRequest {
  readonly target: Target
  readonly options: ApiTestOptions
}

/** What it returns. */
export interface ApiTestAnswer {
  readonly count: Count
  /** The tests that have failed, and the checks of the run. */
  readonly failures: readonly { readonly title: string; readonly error: string }[]
  /** What the place skips, and why. */
  readonly skipped: readonly string[]
}

/**
 * Runs the API tests against a URL in a process of its own: Vitest ends its process at the first Ctrl-C, and a trial has
 * to remove what it has created.
 */
export async function testApiApart(request: ApiTestRequest): Promise<ApiTestAnswer> {
  const file = join(import.meta.dirname, 'api-tests-process.ts')
  const child: ChildProcess = fork(file, { detached: true })
  commandStarted(child)
  try {
    const answered = once(child, 'message') as Promise<[ApiTestAnswer]>
    const ended = once(child, 'exit').then(([code, signal]) => {
      throw new Error(`the API tests have ended (${signal ?? code})`)
    })
    child.send(request)
    const [answer] = await Promise.race([answered, ended])
    return answer
  } finally {
    commandEnded(child)
  }
}
