import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import type { LambdaFunction } from '@player-nfts/local/lambda/lambda-function'
import { expect, test } from 'vitest'
import {
  followedContractKey,
  followKey,
} from '../../lib/adapters/dynamodb/keys/follow-partition.ts'
import { followerName } from '../../lib/contract/background-names.ts'
import { type Chain, chains, coveredChains } from '../../lib/domain/nft/chain.ts'
import { adapterTableOf, storedItems } from '../support/aws/stored-items.ts'
import type { Fault, ProxiedRequest } from '../support/proxies/fault-proxy.ts'
import { startFaultyService } from '../support/services/faulty-service.ts'

const silent = 'BASE'
const broken = 'FUJI'
const calm = 'AMOY'
const flooded = coveredChains.filter((chain) => ![silent, broken, calm as Chain].includes(chain))
const followed: readonly Chain[] = [broken, ...flooded, silent, calm]

/** The memory of the function in a deployment. */
const megabytes = 256

const service = await startFaultyService({ FOLLOW_POLL_SECONDS: '1', SETTLING_SECONDS: '1' })

const padded = (value: number) => `0x${value.toString(16).padStart(64, '0')}`

/** An event log just below 8 MiB, of transfers of ERC-20 tokens, which do not make a contract a busy one. */
function eventLog(address: string, blockNumber: string): string {
  const transfer = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef'
  const topics = [transfer, padded(1), padded(2)]
  const event = (index: number) => ({
    ...{ address, topics, data: padded(index), blockNumber, blockHash: padded(4) },
    ...{
      transactionHash: padded(index),
      transactionIndex: '0x0',
      logIndex: `0x${index.toString(16)}`,
    },
    removed: false,
  })
  const result = Array.from({ length: 13_600 }, (_, index) => event(index))
  return JSON.stringify({ jsonrpc: '2.0', id: 1, result })
}

const logs = new Map<string, string>()
/** Resolves when every flooded chain has asked, so that the first answers come at once. */
const called = Promise.withResolvers<void>()

/** Answers for the chains that are flooded, and not for the one that is silent. */
async function interfered({ path, body }: ProxiedRequest): Promise<Fault | undefined> {
  const isOf = (chain: Chain) => path.includes(chains[chain].network)
  if (isOf(silent)) return 'hang'
  if (body.method !== 'eth_getLogs' || !flooded.some(isOf)) return undefined
  const [{ address, toBlock }] = body.params
  const log = logs.get(path) ?? eventLog(address[0], toBlock)
  logs.set(path, log)
  if (logs.size === flooded.length) called.resolve()
  await called.promise
  return { status: 200, headers: { 'content-type': 'application/json' }, body: log }
}

/** Calls the follower in a process of its own, whose JavaScript heap has nine tenths of its memory, as in Lambda. */
async function callInSmallProcess({ file, env }: LambdaFunction) {
  const [heap, youngHeap] = [Math.floor(0.9 * megabytes), Math.floor(0.05 * megabytes)]
  const script = join(import.meta.dirname, '../support/services/small-process.mjs')
  const child = fork(script, {
    env: { ...env, AWS_LAMBDA_FUNCTION_MEMORY_SIZE: `${megabytes}` },
    execArgv: [`--max-old-space-size=${heap}`, `--max-semi-space-size=${youngHeap}`],
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  })
  let result: { error?: string; maxMegabytes?: number } = {}
  child.once('message', (message: typeof result) => {
    result = message
  })
  // Polls begin for 10 s.
  child.send({ file, functionName: followerName, milliseconds: 24_000 })
  const [output, [code]] = await Promise.all([
    text(child.stdout as NonNullable<typeof child.stdout>),
    once(child, 'exit'),
  ])
  return { ...result, code, lines: output.split('\n').filter(Boolean) }
}

test('D152: beside chains with answers of 8 MiB, one without answers and a defect, a chain is followed with 256 MB', async () => {
  const { stack, aws, indexer } = service
  const follower = stack.functions[followerName] as LambdaFunction
  const table = adapterTableOf(stack)
  const { get, put } = storedItems(table)
  for (const chain of followed) {
    const contract = { chain, address: `0x${'5'.repeat(40)}` as never }
    await put(followedContractKey(contract), { watchedUntil: Date.now() + 86_400_000 })
  }
  indexer.interfere({ onRequest: interfered })
  aws.interfere({
    onRequest: ({ action, body }) =>
      action === 'Query' && JSON.stringify(body).includes(broken)
        ? { status: 400, body: { __type: 'ValidationException', message: 'not expected' } }
        : undefined,
  })
  const env = { ...follower.env, FOLLOWED_CHAINS: followed.join() }
  const ended = await callInSmallProcess({ ...follower, env })
  const lines = new Map(
    ended.lines.map((line) => JSON.parse(line)).map((line) => [line.chain, line]),
  )
  expect(ended).toMatchObject({ code: 0, error: expect.stringContaining('ValidationException') })
  expect([...lines.keys()]).toEqual(followed)
  for (const chain of [...flooded, calm]) {
    expect(lines.get(chain)).toMatchObject({
      ...{ level: 'INFO', followFailures: 0, busyContracts: 0, refusedContracts: 0 },
    })
    expect(lines.get(chain).steps).toBeGreaterThan(0)
  }
  expect(lines.get(silent)).toMatchObject({ level: 'ERROR', steps: 0, followLagSeconds: 600 })
  expect(lines.get(silent).followFailures).toBeGreaterThan(0)
  const defect = { level: 'ERROR', followFailures: 1, reason: 'defect' }
  expect(lines.get(broken)).toMatchObject(defect)
  for (const chain of followed) expect(await get(followKey(chain))).not.toHaveProperty('holder')
  // Lambda's own part of the memory is left.
  expect(ended.maxMegabytes).toBeLessThan(0.9 * megabytes)
})
