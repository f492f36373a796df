import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { newFolder } from '../../../test/support/command-fixture.ts'
import type { OnEnd } from '../../../test/support/vitest/at-file-end.ts'
import type { LambdaFunction } from '../../lambda/lambda-function.ts'
import { type LambdaHost, startLambdaHost } from '../../lambda/lambda-host.ts'

/** A function that returns the number of its calls in its sandbox. */
export const counter = 'let calls = 0; exports.handler = async () => ++calls'

interface Setup {
  env?: Record<string, string>
  timeoutSeconds?: number
  /** Takes what ends the host; by default it ends with the test. */
  onEnd?: OnEnd
}

/** Starts a host with functions from source text. `lines` is their output. */
export async function host(sources: Record<string, string>, setup: Setup = {}) {
  const { env = {}, timeoutSeconds = 10, onEnd = onTestFinished } = setup
  const home = newFolder(onEnd)
  const functions: Record<string, LambdaFunction> = {}
  for (const [name, source] of Object.entries(sources)) {
    const file = join(home, `${name}.cjs`)
    await writeFile(file, source)
    functions[name] = { file, env: { ...env, NAME: name }, timeoutSeconds }
  }
  const lines: string[] = []
  const lambda = startLambdaHost({ functions, log: (line) => lines.push(line) })
  onEnd(() => lambda.close())
  return { lambda, lines, home }
}

/** Returns the response of a call, which must succeed. */
export async function call(
  lambda: LambdaHost,
  name: string,
  event: unknown = {},
): Promise<unknown> {
  const result = await lambda.invoke(name, event)
  if (!result.ok) throw new Error(`${result.errorType}: ${result.message}`)
  return JSON.parse(result.payload)
}
