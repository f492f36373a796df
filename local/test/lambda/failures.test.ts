import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { newFolder } from '../../../test/support/command-fixture.ts'
import { call, counter, host } from './lambda-fixture.ts'

describe('a failing function', () => {
  test('that throws fails only the call, and its error is logged in one line', async () => {
    const { lambda, lines } = await host({
      f: `let calls = 0
      exports.handler = async ({ fault }) => {
        calls++
        if (fault === 'error') throw new RangeError('too far')
        if (fault === 'text') throw 'plain'
        return calls
      }`,
    })
    expect(await lambda.invoke('f', { fault: 'error' })).toEqual({
      ok: false,
      errorType: 'RangeError',
      message: 'too far',
    })
    expect(await lambda.invoke('f', { fault: 'text' })).toEqual({
      ok: false,
      errorType: 'string',
      message: 'plain',
    })
    expect(await call(lambda, 'f')).toBe(3)
    await expect.poll(() => lines).toHaveLength(2)
    expect(lines[0]).toMatch(
      /^[0-9a-f-]{36} ERROR Invoke Error \{"errorType":"RangeError".*"stack"/,
    )
  })

  test('that times out gets a new sandbox, and other calls in progress finish', async () => {
    const folder = newFolder()
    const release = join(folder, 'release')
    const { lambda } = await host(
      {
        slow: `const { existsSync } = require('node:fs')
        let calls = 0
        exports.handler = async ({ until }) => {
          const call = ++calls
          while (until && !existsSync(until)) await new Promise((go) => setTimeout(go, 10))
          return call
        }`,
      },
      { timeoutSeconds: 2 },
    )
    expect(await call(lambda, 'slow')).toBe(1)
    const stuck = lambda.invoke('slow', { until: join(folder, 'never') })
    await sleep(1500)
    const late = call(lambda, 'slow', { until: release })
    expect(await stuck).toEqual({
      ok: false,
      errorType: 'Sandbox.Timedout',
      message: expect.stringMatching(/^RequestId: \S+ Error: Task timed out after 2\.00 seconds$/),
    })
    expect(await call(lambda, 'slow')).toBe(1)
    await writeFile(release, '')
    expect(await late).toBe(3)
  })

  test('with an endless loop times out', async () => {
    const { lambda } = await host(
      { busy: `exports.handler = async ({ spin }) => { while (spin); return 'fine' }` },
      { timeoutSeconds: 3 },
    )
    expect(await lambda.invoke('busy', { spin: true })).toMatchObject({
      errorType: 'Sandbox.Timedout',
    })
    expect(await call(lambda, 'busy')).toBe('fine')
  })

  test('that never finishes loading times out', async () => {
    const { lambda } = await host({ f: 'while (true);' }, { timeoutSeconds: 1 })
    expect(await lambda.invoke('f', {})).toMatchObject({ errorType: 'Sandbox.Timedout' })
  })

  test('that exits the process ends only its own sandbox', async () => {
    const exit = `let calls = 0
      exports.handler = async ({ code }) => (code === undefined ? ++calls : process.exit(code))`
    const { lambda } = await host({ a: exit, b: exit })
    expect(await call(lambda, 'a')).toBe(1)
    expect(await call(lambda, 'b')).toBe(1)
    expect(await lambda.invoke('a', { code: 1 })).toEqual({
      ok: false,
      errorType: 'Runtime.ExitError',
      message: expect.stringMatching(/Error: Runtime exited with error: exit status 1$/),
    })
    expect(await call(lambda, 'a')).toBe(1)
    expect(await lambda.invoke('a', { code: 0 })).toMatchObject({
      message: expect.stringMatching(/Error: Runtime exited without providing a reason$/),
    })
    expect(await call(lambda, 'b')).toBe(2)
  })

  test('with an unhandled rejection ends its sandbox, which is logged', async () => {
    const { lambda, lines } = await host({
      f: `exports.handler = ({ leak }) => {
        if (leak) Promise.reject(new TypeError('escaped'))
        return new Promise((resolve) => setTimeout(resolve, leak ? 60000 : 0, 'fine'))
      }`,
    })
    expect(await lambda.invoke('f', { leak: true })).toEqual({
      ok: false,
      errorType: 'TypeError',
      message: 'escaped',
    })
    expect(lines[0]).toBe('f crashed: TypeError: escaped')
    expect(await call(lambda, 'f')).toBe('fine')
  })

  test('that throws while loading fails, and the next call loads it again', async () => {
    const { lambda, home } = await host({ f: `throw new SyntaxError('not today')` })
    const both = await Promise.all([lambda.invoke('f', {}), lambda.invoke('f', {})])
    const failure = { ok: false, errorType: 'SyntaxError', message: 'not today' }
    expect(both).toEqual([failure, failure])
    await writeFile(join(home, 'f.cjs'), counter)
    expect(await call(lambda, 'f')).toBe(1)
  })

  test.each([
    ['no file', undefined, 'Runtime.ImportModuleError'],
    ['no handler', 'exports.main = () => {}', 'Runtime.HandlerNotFound'],
    ['a syntax error', 'exports.handler = (', 'SyntaxError'],
    [
      'a circular response',
      'exports.handler = () => { const o = {}; o.o = o; return o }',
      'Runtime.MarshalError',
    ],
  ])('with %s fails', async (_, source, errorType) => {
    const { lambda, home } = await host({ f: source ?? '' })
    if (source === undefined) await rm(join(home, 'f.cjs'))
    expect(await lambda.invoke('f', {})).toMatchObject({ ok: false, errorType })
  })

  test('with a response of more than 6,291,556 bytes of JSON fails', async () => {
    const { lambda } = await host({
      big: `exports.handler = ({ snowmen, rest }) => '☃'.repeat(snowmen) + 'x'.repeat(rest)`,
    })
    const snowmen = 1_000_000
    const rest = 6_291_556 - 2 - 3 * snowmen
    const largest = await lambda.invoke('big', { snowmen, rest })
    expect(largest.ok && Buffer.byteLength(largest.payload)).toBe(6_291_556)
    expect(await lambda.invoke('big', { snowmen, rest: rest + 1 })).toEqual({
      ok: false,
      errorType: 'Function.ResponseSizeTooLarge',
      message: 'Response payload size exceeded maximum allowed payload size (6291556 bytes).',
    })
  })
})
