import { readFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { newFolder } from '../../../test/support/command-fixture.ts'
import { concurrencyLimit } from '../../lambda/concurrency-limit.ts'
import { call, counter, host } from './lambda-fixture.ts'

describe('a function', () => {
  test('receives its event and a context like that of Lambda', async () => {
    const { lambda } = await host({
      echo: `exports.handler = async (event, context) => {
        const before = context.getRemainingTimeInMillis()
        await new Promise((resolve) => setTimeout(resolve, 20))
        return { event, context, before, after: context.getRemainingTimeInMillis() }
      }`,
    })
    const event = { text: '☃\u0000', list: [1, null], ['__proto__']: 'own' }
    const answer = (await call(lambda, 'echo', event)) as {
      event: unknown
      context: Record<string, unknown>
      before: number
      after: number
    }
    expect(answer.event).toEqual(event)
    expect(answer.context).toEqual({
      awsRequestId: expect.stringMatching(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/),
      functionName: 'echo',
      functionVersion: '$LATEST',
      invokedFunctionArn: 'arn:aws:lambda:us-east-1:000000000000:function:echo',
      memoryLimitInMB: '1024',
      logGroupName: '/aws/lambda/echo',
      logStreamName: 'local',
      callbackWaitsForEmptyEventLoop: true,
    })
    expect(answer.before).toBeLessThanOrEqual(10_000)
    expect(answer.after).toBeLessThan(answer.before)
  })

  test('can be synchronous, and its response is null without a return value', async () => {
    const { lambda } = await host({ nothing: 'exports.handler = () => {}' })
    expect(await lambda.invoke('nothing', {})).toEqual({ ok: true, payload: 'null' })
  })

  test('keeps its module state between calls, and does not share it with other functions', async () => {
    const { lambda } = await host({ a: counter, b: counter })
    expect(await call(lambda, 'a')).toBe(1)
    expect(await call(lambda, 'a')).toBe(2)
    expect(await call(lambda, 'b')).toBe(1)
  })

  test('has its own environment without the variables of this process', async () => {
    vi.stubEnv('SECRET_OF_THE_PARENT', 'x')
    onTestFinished(() => void vi.unstubAllEnvs())
    const environment = `exports.handler = async () => {
      const seen = { ...process.env }; process.env.NAME = 'changed'; return seen
    }`
    const { lambda } = await host({ a: environment, b: environment }, { env: { TABLE_NAME: 't' } })
    const environmentOf = (name: string) => ({
      NAME: name,
      TABLE_NAME: 't',
      AWS_EXECUTION_ENV: 'AWS_Lambda_nodejs24.x',
      AWS_LAMBDA_FUNCTION_NAME: name,
      AWS_LAMBDA_FUNCTION_VERSION: '$LATEST',
      AWS_LAMBDA_FUNCTION_MEMORY_SIZE: '1024',
      AWS_LAMBDA_INITIALIZATION_TYPE: 'on-demand',
    })
    expect(await call(lambda, 'a')).toEqual(environmentOf('a'))
    expect(await call(lambda, 'b')).toEqual(environmentOf('b'))
    expect(process.env).not.toHaveProperty('NAME')
  })

  test('runs calls concurrently', async () => {
    // Each call waits until all three calls have started.
    const { lambda } = await host({
      meet: `const waiting = []
      exports.handler = (event) => new Promise((resolve) => {
        waiting.push(() => resolve(event.n))
        if (waiting.length === 3) for (const go of waiting) go()
      })`,
    })
    const calls = [1, 2, 3].map((n) => call(lambda, 'meet', { n }))
    expect(await Promise.all(calls)).toEqual([1, 2, 3])
  })

  test('is loaded on its first call', async () => {
    const marks = join(newFolder(), 'marks')
    const mark = (
      name: string,
    ) => `require('node:fs').appendFileSync(${JSON.stringify(marks)}, '${name}')
      exports.handler = async () => 'here'`
    const { lambda } = await host({ early: mark('early'), late: mark('late') })
    expect(await call(lambda, 'late')).toBe('here')
    expect(await call(lambda, 'early')).toBe('here')
    expect(readFileSync(marks, 'utf8')).toBe('lateearly')
  })

  test('prints whole lines', async () => {
    const { lambda, lines } = await host({
      talk: `exports.handler = async ({ n }) => { console.log('out', n); console.error('err', n) }`,
    })
    await Promise.all([1, 2, 3].map((n) => call(lambda, 'talk', { n })))
    const expected = ['err 1', 'err 2', 'err 3', 'out 1', 'out 2', 'out 3']
    await expect.poll(() => lines.toSorted()).toEqual(expected)
  })
})

test('close ends the calls in progress and rejects later calls', async () => {
  const { lambda } = await host({ f: 'exports.handler = () => new Promise(() => {})' })
  const stuck = lambda.invoke('f', {})
  await lambda.close()
  expect(await stuck).toMatchObject({ ok: false, errorType: 'Runtime.ExitError' })
  expect(await lambda.invoke('f', {})).toMatchObject({ errorType: 'ResourceNotFoundException' })
})

test('rejects a call of an unknown function', async () => {
  const { lambda } = await host({})
  expect(await lambda.invoke('constructor', {})).toEqual({
    ok: false,
    errorType: 'ResourceNotFoundException',
    message: 'Function not found: constructor',
  })
})

describe('the concurrency limit', () => {
  test('runs tasks in order, and never more at a time than the limit', async () => {
    const limited = concurrencyLimit(3)
    const started: number[] = []
    let running = 0
    let mostRunning = 0
    const task = async (number: number) => {
      started.push(number)
      running += 1
      mostRunning = Math.max(mostRunning, running)
      await new Promise((resolve) => setImmediate(resolve))
      running -= 1
      return number
    }
    const numbers = Array.from({ length: 20 }, (_, number) => number)
    const results = await Promise.all(numbers.map((number) => limited(() => task(number))))
    expect(results).toEqual(numbers)
    expect(started).toEqual(numbers)
    expect(mostRunning).toBe(3)
  })

  test('starts the next task after a task that fails', async () => {
    const limited = concurrencyLimit(1)
    const failing = limited(() => Promise.reject(new Error('broken')))
    const next = limited(async () => 'next')
    await expect(failing).rejects.toThrow('broken')
    expect(await next).toBe('next')
    expect(await limited(async () => 'later')).toBe('later')
  })

  test('D38: lets a task whose time is over leave the line, and never runs it', async () => {
    const limited = concurrencyLimit(1)
    const place = Promise.withResolvers<string>()
    const started: string[] = []
    const first = limited(() => place.promise)
    const late = limited(async () => started.push('late'), { until: Date.now() + 20, late: 0 })
    const next = limited(async () => started.push('next'))
    expect(await late).toBe(0)
    place.resolve('done')
    await Promise.all([first, next])
    expect(started).toEqual(['next'])
  })
})

const timedOut = { ok: false, errorType: 'Sandbox.Timedout' }

/** A function that waits for files, and notes which calls it carries out. It returns its notes so far. */
const noting = `const { existsSync } = require('node:fs')
  const blockUntil = (file) => { while (!existsSync(file)); }
  if (process.env.LOADED) blockUntil(process.env.LOADED)
  const notes = []
  exports.handler = async ({ name, until, blocked }, context) => {
    notes.push(name)
    if (blocked) blockUntil(blocked)
    while (until && !existsSync(until)) await new Promise((go) => setTimeout(go, 5))
    return { notes: [...notes], remaining: context.getRemainingTimeInMillis() }
  }`

async function fixture(env: (folder: string) => Record<string, string> = () => ({})) {
  const folder = newFolder()
  const { lambda } = await host({ f: noting }, { env: env(folder) })
  return {
    lambda,
    file: (name: string) => join(folder, name),
    release: (name: string) => writeFile(join(folder, name), ''),
    run: (event: object) => call(lambda, 'f', event) as Promise<{ notes: string[] }>,
    soon: () => Date.now() + 200,
  }
}

describe('a call whose caller has stopped waiting is not carried out', () => {
  test('while it waits in the line', async () => {
    const { lambda, file, release, run, soon } = await fixture()
    const held = Array.from({ length: 10 }, () => run({ name: 'held', until: file('go') }))
    expect(await lambda.invoke('f', { name: 'late' }, soon())).toMatchObject(timedOut)
    await release('go')
    await Promise.all(held)
    expect((await run({ name: 'next' })).notes).toEqual([...Array(10).fill('held'), 'next'])
  })

  test('while its sandbox loads the function', async () => {
    const { lambda, release, run, soon } = await fixture((folder) => ({
      LOADED: join(folder, 'loaded'),
    }))
    const next = run({ name: 'next' })
    expect(await lambda.invoke('f', { name: 'late' }, soon())).toMatchObject(timedOut)
    await release('loaded')
    expect((await next).notes).toEqual(['next'])
    expect((await run({ name: 'after' })).notes).toEqual(['next', 'after'])
  })

  test('while another call computes in its sandbox', async () => {
    const { lambda, file, release, run, soon } = await fixture()
    await run({ name: 'first' })
    const watching = run({ name: 'watching', until: file('end') })
    const computing = run({ name: 'computing', blocked: file('computed') })
    expect(await lambda.invoke('f', { name: 'late' }, soon())).toMatchObject(timedOut)
    await release('computed')
    await computing
    await release('end')
    expect((await watching).notes).toEqual(['first', 'watching', 'computing'])
  })
})

test('a call that begins late has the time until its caller stops waiting', async () => {
  const { lambda, file, release } = await fixture()
  const waiting = lambda.invoke('f', { name: 'late', until: file('go') }, Date.now() + 5_000)
  await release('go')
  const result = await waiting
  const { remaining } = JSON.parse(result.ok ? result.payload : '{}')
  expect(remaining).toBeGreaterThan(0)
  expect(remaining).toBeLessThanOrEqual(5_000)
})
