import { spawn } from 'node:child_process'
import { dirname } from 'node:path'
import { expect, onTestFinished } from 'vitest'

/**
 * Runs commands in sequence in one shell, with the project's Node; returns the output of each, without those after one that
 * ends the shell. `until`: what a process that the commands leave in the background prints at last.
 */
export async function outputs(
  commands: readonly string[],
  variables: Record<string, string> = {},
  until?: RegExp,
): Promise<string[]> {
  const path = `${dirname(process.execPath)}:${process.env['PATH']}`
  const env = { ...process.env, PATH: path, ...variables }
  const shell = spawn('bash', [], { env, stdio: ['pipe', 'pipe', 'ignore'], detached: true })
  shell.stdin.end(commands.map((command) => `${command}\nprintf '\\f'\n`).join(''))
  // What the commands have left in the background is of the group of the shell.
  if (until) onTestFinished(() => void process.kill(-(shell.pid as number), 'SIGKILL'))
  let printed = ''
  for await (const text of shell.stdout.setEncoding('utf8')) {
    printed += text
    if (until?.test(printed)) break
  }
  return printed.split('\f').slice(0, -1)
}

/** Text that differs between runs: keys, tokens, identifiers, times. */
const passing =
  /(?<="(?:apiKey|productId|keyId|last4|createdAt|endedAt|expiresAt|lastUsedOn|token|publicKey|x|y|kid|requestId|refreshedAt|connectedAt|at)":")[^"]+|(?<=X-Api-Key:)[-\w]+|(?<=playerToken=)[^']+/g

/** A response without white space and without the text that differs between runs. */
export const comparable = (answer: string): string =>
  answer.replace(/\s/g, '').replace(passing, '*')

/** Matches a response like the shown one, where `…` stands for any text. */
export function showing(answer: string): string {
  const escaped = comparable(answer).replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&')
  return expect.stringMatching(new RegExp(`^${escaped.replaceAll('…', '.*')}$`))
}
