import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { bundleFunctions } from '../../infra/bundle.ts'
import { type LambdaHost, startLambdaHost } from '../../infra/local/lambda-host.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lambda-'))
})
afterAll(() => rm(folder, { recursive: true }))

interface Setup {
  env?: Record<string, string>
  timeoutSeconds?: number
  eager?: boolean
}

/** Hosts functions given as source text; `lines` is what they print. */
async function host(sources: Record<string, string>, setup: Setup = {}) {
  const { env = {}, timeoutSeconds = 10, eager = false } = setup
  const home = await mkdtemp(join(folder, 'host-'))
  const functions: Parameters<typeof startLambdaHost>[0]['functions'] = {}
  for (const [name, source] of Object.entries(sources)) {
    const file = join(home, `${name}.cjs`)
    await writeFile(file, source)
    functions[name] = { file, env: { ...env, NAME: name }, timeoutSeconds }
  }
  const lines: string[] = []
  const lambda = startLambdaHost({ functions, eager, log: (line) => lines.push(line) })
  onTestFinished(() => lambda.close())
  return { lambda, lines, home }
}

/** The response of a call that must succeed. */
async function call(lambda: LambdaHost, name: string, event: unknown = {}): Promise<unknown> {
  const result = await lambda.invoke(name, event)
  if (!result.ok) throw new Error(`${result.errorType}: ${result.message}`)
  return JSON.parse(result.payload)
}

const counter = `let calls = 0; exports.handler = async () => ++calls`

describe('a function', () => {
  test('gets its event and a context as Lambda gives them', async () => {
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

  test('answers null when it returns nothing, and may be synchronous', async () => {
    const { lambda } = await host({ nothing: `exports.handler = () => {}` })
    expect(await lambda.invoke('nothing', {})).toEqual({ ok: true, payload: 'null' })
  })

  test('keeps its module state between calls, and shares it with no other', async () => {
    const { lambda } = await host({ a: counter, b: counter })
    expect(await call(lambda, 'a')).toBe(1)
    expect(await call(lambda, 'a')).toBe(2)
    expect(await call(lambda, 'b')).toBe(1)
  })

  test('sees its own environment and nothing of this process', async () => {
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

  test('serves calls concurrently', async () => {
    // Each call waits until all three have begun.
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

  test('starts with its first call, or at once when asked to', async () => {
    const marks = (home: string) => `require('node:fs').writeFileSync(${JSON.stringify(home)}, '')
      exports.handler = async () => 'here'`
    const [lazyMark, eagerMark] = [join(folder, 'lazy'), join(folder, 'eager')]
    const eager = await host({ f: marks(eagerMark) }, { eager: true })
    const lazy = await host({ f: marks(lazyMark) })
    await expect.poll(() => existsSync(eagerMark)).toBe(true)
    expect(existsSync(lazyMark)).toBe(false)
    expect(await call(lazy.lambda, 'f')).toBe('here')
    expect(await call(eager.lambda, 'f')).toBe('here')
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

describe('a failing function', () => {
  test('that throws fails the call alone, and the error is logged on one line', async () => {
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

  test('that runs too long is replaced, and lets the others under way finish', async () => {
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

  test('that never yields is ended as well', async () => {
    const { lambda } = await host(
      { busy: `exports.handler = async ({ spin }) => { while (spin); return 'fine' }` },
      { timeoutSeconds: 1 },
    )
    expect(await lambda.invoke('busy', { spin: true })).toMatchObject({
      errorType: 'Sandbox.Timedout',
    })
    expect(await call(lambda, 'busy')).toBe('fine')
  })

  test('that never finishes loading times out', async () => {
    const { lambda } = await host({ f: `while (true);` }, { timeoutSeconds: 1 })
    expect(await lambda.invoke('f', {})).toMatchObject({ errorType: 'Sandbox.Timedout' })
  })

  test('that exits the process ends its own sandbox only', async () => {
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

  test('that lets a rejection escape ends its sandbox, and says so', async () => {
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

  test('that throws while loading fails, and is loaded anew by the next call', async () => {
    const { lambda, home } = await host({ f: `throw new SyntaxError('not today')` })
    const both = await Promise.all([lambda.invoke('f', {}), lambda.invoke('f', {})])
    const failure = { ok: false, errorType: 'SyntaxError', message: 'not today' }
    expect(both).toEqual([failure, failure])
    await writeFile(join(home, 'f.cjs'), counter)
    expect(await call(lambda, 'f')).toBe(1)
  })

  test.each([
    ['no file', undefined, 'Runtime.ImportModuleError'],
    ['no handler', `exports.main = () => {}`, 'Runtime.HandlerNotFound'],
    ['a syntax error', `exports.handler = (`, 'SyntaxError'],
    [
      'a circular response',
      `exports.handler = () => { const o = {}; o.o = o; return o }`,
      'Runtime.MarshalError',
    ],
  ])('with %s fails', async (_, source, errorType) => {
    const { lambda, home } = await host({ f: source ?? '' })
    if (source === undefined) await rm(join(home, 'f.cjs'))
    expect(await lambda.invoke('f', {})).toMatchObject({ ok: false, errorType })
  })

  test('may answer 6,291,556 bytes of JSON and not one more', async () => {
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

test('closing ends calls under way and takes no more', async () => {
  const { lambda } = await host({ f: `exports.handler = () => new Promise(() => {})` })
  const stuck = lambda.invoke('f', {})
  await lambda.close()
  expect(await stuck).toMatchObject({ ok: false, errorType: 'Runtime.ExitError' })
  expect(await lambda.invoke('f', {})).toMatchObject({ errorType: 'ResourceNotFoundException' })
})

test('an unknown function is an error', async () => {
  const { lambda } = await host({})
  expect(await lambda.invoke('constructor', {})).toEqual({
    ok: false,
    errorType: 'ResourceNotFoundException',
    message: 'Function not found: constructor',
  })
})

describe('bundling', () => {
  test('writes one self-contained CommonJS file for each function, whatever the folder says', async () => {
    const source = join(folder, 'source')
    await mkdir(source)
    await writeFile(join(source, 'shared.ts'), `export const greeting: string = 'Hello'`)
    for (const name of ['hello', 'bye']) {
      await writeFile(
        join(source, `${name}.ts`),
        `import { greeting } from './shared.ts'
        import { hostname } from 'node:os'
        export const handler = async () => [greeting, ${JSON.stringify(name)}, typeof hostname()]`,
      )
    }
    const outDir = join(folder, 'out')
    await mkdir(outDir)
    await writeFile(join(outDir, 'package.json'), '{"type":"module"}')
    const bundles = await bundleFunctions({
      entryPoints: [join(source, 'hello.ts'), join(source, 'bye.ts')],
      outDir,
    })
    expect(bundles.map(({ name, file }) => ({ name, file }))).toEqual([
      { name: 'hello', file: join(outDir, 'hello', 'index.cjs') },
      { name: 'bye', file: join(outDir, 'bye', 'index.cjs') },
    ])
    for (const { name, file, bytes } of bundles) {
      const code = await readFile(file, 'utf8')
      expect(bytes).toBe(Buffer.byteLength(code))
      expect(code).not.toContain('sourceMappingURL')
      expect(existsSync(`${file}.map`)).toBe(true)
      const { handler } = createRequire(import.meta.url)(file)
      expect(await handler()).toEqual(['Hello', name, 'string'])
    }
  })

  test.each([
    ['does not compile', `export const handler = (`],
    ['needs import.meta', `export const handler = () => import.meta.url`],
    ['needs a module that is not there', `import './nowhere.ts'; export const handler = 1`],
  ])('rejects code that %s, saying where', async (_, code) => {
    const entryPoint = join(folder, 'broken.ts')
    await writeFile(entryPoint, code)
    const bundling = bundleFunctions({ entryPoints: [entryPoint], outDir: join(folder, 'broken') })
    await expect(bundling).rejects.toThrow(/broken\.ts:1:/)
  })
})
