import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { call, counter, host, temporaryFolder } from './lambda-fixture.ts'

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
    const marks = join(await temporaryFolder(), 'marks')
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
