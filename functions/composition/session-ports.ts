import { dynamoSessions } from '../../lib/adapters/dynamodb/sessions.ts'
import type { Table } from '../../lib/adapters/dynamodb/table.ts'
import { dynamoWalletLists } from '../../lib/adapters/dynamodb/wallet-lists.ts'
import { playerDigests } from '../../lib/observability/player-digest.ts'
import { playerDigestSettings } from '../../lib/settings/resources.ts'

/** The ports that identify the users of sessions (D100, D102). */
export const sessionPorts = (table: Table) => ({
  sessions: dynamoSessions(table),
  walletLists: dynamoWalletLists(table),
  playerDigest: playerDigests(playerDigestSettings().key),
})
