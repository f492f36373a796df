import type { PlayerNftsPorts } from '../domain/player-nfts.ts'
import type { ApiKeys, Players, PlayerTokens } from '../domain/ports.ts'
import { alchemyIndexer } from './alchemy/alchemy-indexer.ts'
import { dynamoAllowedTokenIds } from './dynamodb/allowed-token-ids.ts'
import { dynamoApiKeys } from './dynamodb/api-keys.ts'
import { dynamoContracts } from './dynamodb/contracts.ts'
import { dynamoPlayers } from './dynamodb/players.ts'
import { openTable } from './dynamodb/table.ts'
import { hmacCursors } from './hmac/cursors.ts'
import { josePlayerTokens } from './jose/player-tokens.ts'
import { playerTokenKeys } from './kms/kms-keys.ts'
import { secretsIndexerKey } from './secrets/indexer-key.ts'

/** What the two operations that read a player's NFTs are made of, callers included. */
export function playerNftsPorts(): PlayerNftsPorts & {
  apiKeys: ApiKeys
  playerTokens: PlayerTokens
  players: Players
} {
  const table = openTable()
  const indexerKey = secretsIndexerKey()
  return {
    apiKeys: dynamoApiKeys(table),
    playerTokens: josePlayerTokens(playerTokenKeys()),
    players: dynamoPlayers(table),
    contracts: dynamoContracts(table),
    allowedTokenIds: dynamoAllowedTokenIds(table),
    indexer: alchemyIndexer(indexerKey),
    cursors: hmacCursors(indexerKey),
  }
}
