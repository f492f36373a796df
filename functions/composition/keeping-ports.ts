import { dynamoKeptHoldings } from '../../lib/adapters/dynamodb/keeping/kept-holdings.ts'
import { dynamoNotedReads } from '../../lib/adapters/dynamodb/keeping/noted-reads.ts'
import { dynamoTokenMetadata } from '../../lib/adapters/dynamodb/keeping/token-metadata.ts'
import { keptOnceAnHour } from '../../lib/adapters/dynamodb/keeping/token-metadata-once.ts'
import type { Table } from '../../lib/adapters/dynamodb/table.ts'
import type { KeepingPorts } from '../../lib/domain/holdings/keeping-ports.ts'
import { lookUpMetadata, showMetadata } from '../../lib/domain/metadata/show-metadata.ts'
import type { Indexer } from '../../lib/domain/ports/indexer.ts'
import { keepingSettings } from '../../lib/settings/keeping.ts'

/** What reads of a player's NFTs need of what is kept; `undefined` in a deployment that keeps no holdings. */
export function keepingPorts(
  table: Table,
  indexer: Pick<Indexer, 'metadata'>,
): KeepingPorts | undefined {
  const { metadataSeconds, ...settings } = keepingSettings()
  if (settings.keptChains.length === 0) return undefined
  const tokenMetadata = dynamoTokenMetadata(table)
  const ports = { tokenMetadata, indexer, now: Date.now }
  return {
    ...settings,
    keptHoldings: dynamoKeptHoldings(table),
    notedReads: dynamoNotedReads(table, settings),
    texts: {
      lookUp: (nfts, maxBytes) => lookUpMetadata(nfts, maxBytes, tokenMetadata),
      describe: (nfts, context) => showMetadata(nfts, { ...context, metadataSeconds }, ports),
    },
    keepAsked: keptOnceAnHour(tokenMetadata),
  }
}
