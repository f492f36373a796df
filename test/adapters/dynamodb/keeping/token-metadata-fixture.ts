import { randomBytes } from 'node:crypto'
import { beforeEach } from 'vitest'
import { dynamoTokenMetadata } from '../../../../lib/adapters/dynamodb/keeping/token-metadata.ts'
import type { Nft } from '../../../../lib/domain/nft/nft.ts'
import type { Metadata } from '../../../../lib/domain/nft/owned-nft.ts'
import type { KeptNft, TokenMetadata } from '../../../../lib/domain/ports/token-metadata.ts'
import { nft } from '../../../support/memory/owned-nfts.ts'
import { now, startStored } from '../stored-fixture.ts'

export const sixtyDays = 60 * 86_400
export const everything = Number.POSITIVE_INFINITY

export const kept = (nft: Nft, more: Partial<KeptNft> = {}): KeptNft => ({
  ...nft,
  metadataLink: `ipfs://${nft.tokenId}`,
  metadata: { text: `{"name":"${nft.tokenId}"}` },
  ...{ readAt: now, retries: 0, ...more },
})

export const shownOf = ({ chain: _, address: __, tokenId: ___, ...shown }: KeptNft) => shown

/** A text of some bytes that no compression makes much smaller. */
export const dense = (bytes: number): Metadata => ({
  text: `"${randomBytes(bytes)
    .toString('base64')
    .slice(0, bytes - 2)}"`,
})

/** The metadata in the embedded AWS of a test file, for a container that is new in each test. */
export async function startTokenMetadata() {
  const { aws, items, loseOnce, processOnly, requestsOf, sentBy, table } = await startStored()
  const container = () => dynamoTokenMetadata(table)
  let current = container()

  beforeEach(() => {
    current = container()
  })

  return {
    ...{ aws, container, items, loseOnce, processOnly, requestsOf },
    metadata: (): TokenMetadata => current,
    async keepOfEach(more: Partial<KeptNft>) {
      const [put] = await sentBy(() => current.put([kept(nft(0), more)]))
      const { Item } = put?.body ?? {}
      aws.interfere({
        onRequest({ action, body }) {
          if (action !== 'BatchGetItem') return undefined
          const found = body.RequestItems.table.Keys.map((key: object) => ({ ...Item, ...key }))
          return { status: 200, body: { Responses: { table: found }, UnprocessedKeys: {} } }
        },
      })
    },
  }
}
