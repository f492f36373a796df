import { transfer } from '@player-nfts/local/indexer/chain/movements'
import type { World } from '@player-nfts/local/indexer/world'
import { numbers, samples } from '@player-nfts/local/samples'
import { expect } from 'vitest'
import { workerName } from '../../../infra/bundle/bundle.ts'
import { dynamoNftEventLog } from '../../../lib/adapters/dynamodb/nft-event-log.ts'
import { followerName } from '../../../lib/contract/background-names.ts'
import { adapterTableOf } from '../aws/stored-items.ts'
import { storedKeysIn } from '../aws/stored-keys.ts'
import type { TestAws } from '../aws/test-aws.ts'
import { productWith } from '../requests/reading.ts'
import type { GrantedService } from '../services/granted-service.ts'
import { registration } from '../services/service.ts'
import type { Drives } from './drives.ts'

/** More NFTs than a refresh checks before its response (D31). */
export const manyNfts = { ...samples.collections.keepers, tokenIds: numbers(1, 201) }

/** Starts a refresh of many NFTs, so that it is handed over to the worker; returns the message. */
export async function handOver(service: GrantedService, apiKey: string): Promise<string> {
  const body = { smartContract: manyNfts.address }
  const answer = await service.call('POST /tokens/refresh', { apiKey, body })
  expect(answer.json.data).toMatchObject({ checked: 200, pending: 1 })
  return lastMessage(service)
}

/** The message that was last sent to the work queue. */
const lastMessage = ({ iam }: GrantedService): string =>
  iam.calls.findLast(({ permissions }) => permissions.includes('sqs:SendMessage on WorkQueue'))
    ?.body.MessageBody

/** The drives of the functions that are no operations, but for the deliverer of webhooks. */
export function backgroundDrives(
  service: GrantedService,
  { access, resources: { tableName } }: TestAws,
  world: World,
): Drives {
  const { call } = service
  const storedKeys = storedKeysIn(access, tableName)
  const log = dynamoNftEventLog(adapterTableOf({ aws: access, resources: { tableName } }))
  return {
    async [followerName]() {
      const { chain, address } = samples.collections.lanterns
      // A webhook watches it, so that the first step tells what of it was missed.
      const until = Date.now() + 3_600_000
      await log.watch([{ chain, address }], { until, isPushed: true })
      const nft = { network: 'polygon-mainnet', address, tokenId: '1000001' } as const
      transfer(world, nft, { to: `0x${'a1'.repeat(20)}` }, Date.now())
      await service.follow()
    },

    async [workerName]() {
      const apiKey = await productWith(service, manyNfts)
      await service.work(await handOver(service, apiKey), 'no time')
      await service.work(lastMessage(service))
      const query = { contractAddress: manyNfts.address, chain: manyNfts.chain }
      await call('DELETE /product/contract', { apiKey, query })
      await service.work(lastMessage(service))
      const deleted = await productWith(service, manyNfts)
      const confirm = registration().name
      await call('DELETE /product', { apiKey: deleted, query: { confirm } })
      const message = lastMessage(service)
      await service.work(message)
      await storedKeys.setProduct(deleted, { endedAt: new Date(0).toISOString() })
      await service.work(message)
    },
  }
}
