import { alchemyIndexer } from '../../lib/adapters/alchemy/alchemy-indexer.ts'
import { dynamoAllowedTokenIds } from '../../lib/adapters/dynamodb/allowed-token-ids.ts'
import { dynamoContracts } from '../../lib/adapters/dynamodb/contracts.ts'
import { dynamoKeptHoldings } from '../../lib/adapters/dynamodb/keeping/kept-holdings.ts'
import { dynamoNotedReads } from '../../lib/adapters/dynamodb/keeping/noted-reads.ts'
import {
  dynamoTokenMetadata,
  keptOnceAnHour,
} from '../../lib/adapters/dynamodb/keeping/token-metadata.ts'
import { dynamoPlayers } from '../../lib/adapters/dynamodb/players.ts'
import { dynamoProductUse } from '../../lib/adapters/dynamodb/product-use.ts'
import { openTable, type Table } from '../../lib/adapters/dynamodb/table.ts'
import { hmacCursors } from '../../lib/adapters/hmac/cursors.ts'
import { josePlayerTokens } from '../../lib/adapters/jose/player-tokens.ts'
import { secretsIndexerKey } from '../../lib/adapters/secrets/indexer-key.ts'
import type { KeepingPorts } from '../../lib/domain/holdings/known-contracts.ts'
import { lookUpMetadata, showMetadata } from '../../lib/domain/metadata/show-metadata.ts'
import type { Indexer } from '../../lib/domain/ports/indexer.ts'
import { playerDigests } from '../../lib/observability/player-digest.ts'
import { allowlistSettings } from '../../lib/settings/indexer.ts'
import { keepingSettings } from '../../lib/settings/keeping.ts'
import { clientIndexerLimits, clientReadLimits, indexerLimits } from '../../lib/settings/limits.ts'
import { playerTokenProductSettings } from '../../lib/settings/player-tokens.ts'
import { playerDigestSettings } from '../../lib/settings/resources.ts'
import { productCallerPorts } from './product-ports.ts'
import { playerTokenKeys } from './token-keys.ts'

/** The ports of the two operations that read a player's NFTs, including the ports that identify callers. */
export function playerNftsPorts() {
  const table = openTable()
  const indexerKey = secretsIndexerKey()
  const indexer = alchemyIndexer(indexerKey)
  const keeping = keepingPorts(table, indexer)
  return {
    ...productCallerPorts(table),
    productUse: dynamoProductUse(table, {
      ...indexerLimits(),
      ...clientIndexerLimits(),
      mayNeedNoIndexer: keeping !== undefined,
    }),
    playerTokens: josePlayerTokens(playerTokenKeys()),
    players: dynamoPlayers(table),
    ...playerTokenProductSettings(),
    playerLimits: clientReadLimits(),
    playerDigest: playerDigests(playerDigestSettings().key),
    contracts: dynamoContracts(table),
    allowedTokenIds: dynamoAllowedTokenIds(table),
    indexer,
    keeping,
    cursors: hmacCursors(indexerKey),
    ...allowlistSettings(),
  }
}

/** What reads of a player's NFTs need of what is kept; `undefined` in a deployment that keeps no holdings. */
function keepingPorts(table: Table, indexer: Pick<Indexer, 'metadata'>): KeepingPorts | undefined {
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
    keepFetched: keptOnceAnHour(tokenMetadata),
  }
}
