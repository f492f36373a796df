import { SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs'
import { samples } from '@player-nfts/local/samples'
import { afterAll, describe, expect, test } from 'vitest'
import { tableOf } from '../support/aws/stored-items.ts'
import { metricsIn } from '../support/data/metric-documents.ts'
import { type LogLine, lineWhere } from '../support/requests/log-lines.ts'
import { startOwnService } from '../support/services/own-service.ts'
import { newAddress } from '../support/services/service.ts'

const { address: keepers } = samples.collections.keepers
const service = await startOwnService(
  { FOLLOWED_CHAINS: 'POLYGON', OWNERS_LAG_SECONDS: '0', FOLLOW_POLL_SECONDS: '1' },
  afterAll,
)
const table = tableOf(service)
const queue = new SQSClient(service.stack.aws)
afterAll(() => queue.destroy())

/** Keeps a contract that a product has just read. */
async function keep(address: string): Promise<void> {
  const today = new Date().toISOString().slice(0, 10)
  const read = { reads: 100, readAt: Date.now(), productId: 'product' }
  await table.put({ pk: `KEPTUSE#POLYGON#${address}`, sk: today }, read)
  const places = { settledUpTo: 0, eventsAfter: 0, settledAt: 0, readUpTo: 0 }
  await table.put({ pk: 'KEPT#POLYGON', sk: address }, { version: 1, ...places, events: [] })
}

const send = (item: object) =>
  queue.send(
    new SendMessageCommand({
      QueueUrl: service.stack.resources.queueUrl,
      MessageBody: JSON.stringify(item),
    }),
  )

const lineOf = (kind: string, contract?: string): Promise<LogLine> =>
  lineWhere(service.log, (line) => line['kind'] === kind && line['contract'] === contract)

const itemOf = async (address: string) =>
  (await table.itemsUnder('KEPT#')).find(({ sk }) => sk === address)

describe('D153: the worker does the upkeep of kept contracts', () => {
  test('it decides what is due, and begins a snapshot of the standard that the contract says', async () => {
    const unknown = newAddress()
    await keep(keepers)
    await keep(unknown)
    await send({ kind: 'upkeep' })
    const begun = await lineOf('snapshot', keepers)
    expect(begun).toMatchObject({ level: 'INFO', chain: 'POLYGON', outcome: 'waiting' })
    expect(metricsIn(begun)).toMatchObject({ workFailures: 0, indexerCalls: 1 })
    expect(await itemOf(keepers)).toMatchObject({ log: { standard: 'ERC721' } })
    expect(await lineOf('snapshot', unknown)).toMatchObject({
      ...{ level: 'INFO', outcome: 'unlisted' },
      reason: 'the contract follows no standard of NFTs',
    })
    expect(await itemOf(unknown)).not.toHaveProperty('ended')
    const metadata = await lineWhere(service.log, (line) => line['kind'] === 'dueMetadata')
    expect(metadata).toMatchObject({ level: 'INFO', chain: 'POLYGON', outcome: 'done' })
  })
})
