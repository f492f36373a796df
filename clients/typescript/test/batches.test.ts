import { expect, test } from 'vitest'
import {
  allowlistInBatches,
  BatchError,
  type BatchProgress,
  unbindInBatches,
} from '../src/index.ts'
import { clientOf as clientOfScript, problem, type Scripted, success } from './scripted-server.ts'

const contract = { chain: 'BSC', contractAddress: '0x1', contractDescription: 'A contract' }

async function clientOf(...script: Scripted[]) {
  const { client, requests } = await clientOfScript(script)
  return { client, sent: () => requests.map(({ body }) => JSON.parse(body)) }
}

function* bigints(count: number) {
  for (let id = 0n; id < count; id++) yield id
}

test('a long list is sent in requests of 10,000, in order, with its progress', async () => {
  const { client, sent } = await clientOf(success([]))
  const seen: BatchProgress[] = []
  const tokens = new Set(bigints(25_000))
  const onProgress = (progress: BatchProgress) => seen.push(progress)
  const result = await allowlistInBatches(client, { ...contract, tokens }, { onProgress })
  expect(result).toEqual({ done: 25_000, total: 25_000, removed: 0 })
  expect(seen.map(({ done }) => done)).toEqual([10_000, 20_000, 25_000])
  expect(sent().map(({ tokens: { length } }) => length)).toEqual([10_000, 10_000, 5_000])
  expect(sent().flatMap((body) => body.tokens)).toEqual([...tokens].map(String))
  expect(sent()[2]).toMatchObject(contract)
})

test('D57: a request has at most 100 ranges, and the body at most 1 MiB', async () => {
  const { client, sent } = await clientOf(success({ removed: 2 }))
  const { contractDescription: _, ...params } = contract
  const ranges = Array.from({ length: 250 }, (__, index) => `${index * 10}..${index * 10 + 1}`)
  const source = async function* () {
    yield* ranges
    yield '*'
  }
  expect(await unbindInBatches(client, { ...params, tokens: source() })).toEqual({
    done: 251,
    total: undefined,
    removed: 6,
  })
  expect(sent().map(({ tokens: { length } }) => length)).toEqual([100, 100, 51])

  const long = await clientOf(success([]))
  const digits = Array.from({ length: 10_000 }, (__, index) => String(index).padStart(200, '0'))
  await allowlistInBatches(long.client, { ...contract, tokens: digits })
  const bodies = long.sent()
  expect(bodies.flatMap(({ tokens: all }) => all)).toEqual(digits)
  for (const body of bodies) expect(JSON.stringify(body).length).toBeLessThan(1_048_576)
})

test('no size of a batch makes a request larger than the limit', async () => {
  for (const batchSize of [10_000.5, 20_000, Number.POSITIVE_INFINITY]) {
    const { client, sent } = await clientOf(success([]))
    await allowlistInBatches(client, { ...contract, tokens: bigints(10_001) }, { batchSize })
    expect(sent().map(({ tokens: { length } }) => length)).toEqual([10_000, 1])
  }
  for (const batchSize of [0, -3, 1.5, Number.NaN]) {
    const { client, sent } = await clientOf(success([]))
    await allowlistInBatches(client, { ...contract, tokens: bigints(2) }, { batchSize })
    expect(sent()).toHaveLength(2)
  }
})

test('an interrupted list says where to go on', async () => {
  const failure = problem(409, 'too_many_ranges')
  const { client, sent } = await clientOf(success([]), failure, success([]))
  const params = { ...contract, tokens: ['1', '2', '3', '4', '5'] }
  const error = await allowlistInBatches(client, params, { batchSize: 2 }).catch((each) => each)
  expect(error).toBeInstanceOf(BatchError)
  expect(error).toMatchObject({ position: 2, code: 'too_many_ranges', status: 409 })
  expect(error).toMatchObject({ cause: { name: 'ConflictError' }, mayHaveTakenEffect: false })
  expect(error.detail).toContain('The first 2 elements are done.')

  const rest = { start: error.position, batchSize: 2 }
  expect(await allowlistInBatches(client, params, rest)).toMatchObject({ done: 5, total: 5 })
  expect(sent().map(({ tokens }) => tokens)).toEqual([['1', '2'], ['3', '4'], ['3', '4'], ['5']])
})

test('a list ends with its signal, and sends nothing that is no token identifier', async () => {
  const { client, sent } = await clientOf(success([]))
  const controller = new AbortController()
  const options = { batchSize: 1, signal: controller.signal, onProgress: () => controller.abort() }
  const list = allowlistInBatches(client, { ...contract, tokens: ['1', '2'] }, options)
  await expect(list).rejects.toMatchObject({ code: 'aborted', position: 1 })
  expect(sent()).toHaveLength(1)

  const numbers = allowlistInBatches(client, { ...contract, tokens: [1 as never] })
  await expect(numbers).rejects.toThrow('tokens[0] must be text or a bigint')
  expect(await allowlistInBatches(client, { ...contract, tokens: [] })).toMatchObject({ done: 0 })
  expect(sent()).toHaveLength(1)
})
