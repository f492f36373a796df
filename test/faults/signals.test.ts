import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readdirSync, readFileSync } from 'node:fs'
import { request } from 'node:http'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, onTestFinished, test } from 'vitest'
import { newFolder, run } from '../support/command-fixture.ts'
import { clientOf } from '../support/requests/client.ts'
import { registration } from '../support/services/service.ts'
import { onWindows } from '../support/vitest/windows.ts'

/** A stack in a process group of its own, under a shell as npm starts it. */
async function startGroup(variables: Record<string, string> = {}, command?: string) {
  const folder = newFolder()
  const [DATA_DIR, TMPDIR] = [join(folder, 'data'), mkdtempSync(join(folder, 'tmp-'))]
  const { PATH = '' } = process.env
  // npm runs its scripts in a shell, which does not pass on signals.
  const script = command ?? `"${process.execPath}" scripts/run.mjs local/start.ts; exit $?`
  const env = { PATH, PORT: '0', DATA_DIR, TMPDIR, npm_lifecycle_event: 'start', ...variables }
  const shell = spawn('sh', ['-c', script], {
    detached: true,
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const group = shell.pid ?? 0
  onTestFinished(() => {
    try {
      process.kill(-group, 'SIGKILL')
    } catch {
      // All processes of the group have ended.
    }
  })
  let output = ''
  shell.stdout.setEncoding('utf8').on('data', (text) => {
    output += text
  })
  // The output is open until the last process of the group has ended.
  const ended = once(shell.stdout, 'close')
  const note = join(DATA_DIR, 'running.json')
  while (!existsSync(note)) await sleep(20)
  while (readFileSync(note, 'utf8') === '') await sleep(20)
  const { pid, url } = JSON.parse(readFileSync(note, 'utf8'))
  return { shell, group, pid, url, ended, TMPDIR, DATA_DIR, output: () => output }
}

/** Interrupts a call, which is in progress until its body is complete, and returns its status. */
async function statusOfCallDuring(url: string, interrupt: () => void): Promise<number | undefined> {
  const body = JSON.stringify(registration())
  const call = request(`${url}/api/public/v1/product`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'content-length': body.length },
  })
  call.write(body.slice(0, 10))
  await sleep(500)
  interrupt()
  await sleep(1_500)
  call.end(body.slice(10))
  const [response] = await once(call, 'response')
  return response.statusCode
}

describe.skipIf(onWindows)('the local stack', () => {
  /** npm alone, which runs scripts in this shell. It would keep its compiled code in TMPDIR. */
  const npmIn = (npm_config_script_shell: string) =>
    startGroup({ npm_config_script_shell, NODE_DISABLE_COMPILE_CACHE: '1' }, 'exec npm start')

  test.each([
    ['SIGINT', 'the process group', startGroup, -1],
    ['SIGTERM', 'the process group', startGroup, -1],
    ['SIGHUP', 'the process group', startGroup, -1],
    // The shell of Debian catches SIGINT until its child has ended. Bash replaces itself by the child.
    ['SIGTERM', 'npm in sh', () => npmIn('sh'), 1],
    ['SIGTERM', 'npm in bash', () => npmIn('bash'), 1],
    ['SIGINT', 'npm in bash', () => npmIn('bash'), 1],
  ] as const)('lets calls in progress end after %s to %s', async (signal, _, start, sign) => {
    const stack = await start()
    const interrupt = () => process.kill(sign * stack.group, signal)
    expect(await statusOfCallDuring(stack.url, interrupt)).toBe(200)
    await stack.ended
    expect(readdirSync(stack.TMPDIR)).toEqual([])
    expect(existsSync(join(stack.DATA_DIR, 'running.json'))).toBe(false)
  })

  test.each(['SIGTERM', 'SIGKILL'] as const)(
    'ends after %s to the shell that npm started',
    async (signal) => {
      const stack = await startGroup()
      process.kill(stack.group, signal)
      await stack.ended
      expect(readdirSync(stack.TMPDIR)).toEqual([])
    },
  )

  test('ends with its process, and the next start removes its folder', async () => {
    const stack = await startGroup()
    process.kill(stack.pid, 'SIGKILL')
    await stack.ended
    expect(readdirSync(stack.TMPDIR)).toHaveLength(1)
    const next = run('local/start.ts', [], {
      PORT: '0',
      DATA_DIR: stack.DATA_DIR,
      TMPDIR: stack.TMPDIR,
    })
    while (!next.output().includes('Ctrl-C')) await sleep(20)
    expect(readdirSync(stack.TMPDIR)).toHaveLength(1)
    next.child.kill('SIGINT')
    expect((await next.ended).code).toBe(0)
    expect(readdirSync(stack.TMPDIR)).toEqual([])
  })

  test('continues when nobody reads its output any more', async () => {
    const stack = await startGroup({}, `"${process.execPath}" local/start.ts | head -1`)
    const call = clientOf(stack.url)
    while (!stack.output().includes('Dashboard: ')) await sleep(20)
    for (let count = 0; count < 20; count += 1) {
      expect((await call('GET /public-key')).status).toBe(200)
    }
    process.kill(stack.pid, 'SIGTERM')
    while (existsSync(join(stack.DATA_DIR, 'running.json'))) await sleep(20)
  })
})
