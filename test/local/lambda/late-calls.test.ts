import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { call, host, temporaryFolder } from './lambda-fixture.ts'

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
  const folder = await temporaryFolder()
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
