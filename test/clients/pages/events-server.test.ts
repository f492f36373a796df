import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { awsClient } from '../../../lib/adapters/aws/aws-client.ts'
import { dynamoFollowNotes } from '../../../lib/adapters/dynamodb/follow-notes.ts'
import { dynamodb } from '../../../lib/adapters/dynamodb/table.ts'
import { tokenIdOf } from '../../../lib/domain/allowlist/token-id.ts'
import { type Address, toAddress } from '../../../lib/domain/nft/address.ts'
import { allowlist } from '../../support/requests/allowlists.ts'
import { startGatewayOver } from '../../support/services/containers.ts'
import { startCountedService } from '../../support/services/counted-service.ts'
import { newAddress } from '../../support/services/service.ts'
import { programOf } from './page-program.ts'

const service = await startCountedService()
const { call, newProduct, stack } = service
const url = await startGatewayOver(service.functionsWith({ FOLLOWED_CHAINS: 'POLYGON' }))

/** What followers write, in the table of the service. */
const notes = dynamoFollowNotes({
  client: awsClient(dynamodb, stack.aws),
  name: stack.resources.tableName,
  requestsAtOnce: 1,
})

const client = new URL('../../../clients/typescript/src/index.ts', import.meta.url)
const { folder, start, length } = await programOf('docs/webhook-events.md', (code) =>
  code.replace('player-nfts-client', client.href),
)

let step = 0

/** Does what a follower does: logs the mint of an NFT, and says that the log is complete up to it. */
async function logMint(contract: Address, tokenId: number): Promise<void> {
  step += 1
  const head = { number: 100 + step, hash: `0x${'5c'.repeat(32)}`, at: Date.now() + 1_000 }
  const tokens = [{ tokenId: tokenIdOf(BigInt(tokenId)), amount: '1' }]
  const content = { kind: 'transfer', from: null, to: toAddress(newAddress()), tokens } as const
  const entry = { block: head, logIndex: 0, transactionHash: '0x7', content }
  await notes.log('POLYGON', [{ contract, entries: [entry] }])
  await notes.lease('POLYGON', 'follower', 60_000)
  await notes.moveTo(
    'POLYGON',
    'follower',
    {
      ...{ head, confirmedUpTo: head.at, blocks: [head], step },
      log: { loggedUpTo: head, contracts: 1, seen: {} },
    },
    undefined,
  )
}

/** The client is there as its sources, which this Node can run. */
const startServer = (apiKey: string) =>
  start({ PORT: new URL(url).port, API_KEY: apiKey }, process.execPath)

test('D119: the server of the page prints the mints, and after its death those that it has not seen', async () => {
  expect(length).toBeLessThanOrEqual(20)
  const [apiKey, contract] = [await newProduct(), toAddress(newAddress())]
  await allowlist(call, apiKey, { contractAddress: contract, tokens: ['1..5'] })
  const first = startServer(apiKey)
  await expect.poll(() => readFile(join(folder, 'cursor.txt'), 'utf8').catch(() => '')).not.toBe('')
  await logMint(contract, 1)
  await logMint(contract, 9)
  expect(await first.next()).toMatch(/^1: null to 0x/)
  const eventsAfterItsCursor = async () => {
    const cursor = await readFile(join(folder, 'cursor.txt'), 'utf8')
    const answer = await call(`GET /product/webhook-events?cursor=${cursor}`, { apiKey })
    return answer.json.data.events
  }
  await expect.poll(eventsAfterItsCursor).toEqual([])
  first.kill()
  await logMint(contract, 2)
  const second = startServer(apiKey)
  expect(await second.next()).toMatch(/^2: null to 0x/)
})
