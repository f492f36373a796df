import { alchemyIndexer } from '../lib/adapters/alchemy/alchemy-indexer.ts'
import { dynamoPlayers } from '../lib/adapters/dynamodb/players.ts'
import { openTable } from '../lib/adapters/dynamodb/table.ts'
import { josePlayerTokens } from '../lib/adapters/jose/player-tokens.ts'
import { playerTokenKeys } from '../lib/adapters/kms/kms-keys.ts'
import { secretsIndexerKey } from '../lib/adapters/secrets/indexer-key.ts'
import { decimalAmount, type ServiceToken, totalBalance } from '../lib/domain/balance.ts'
import type { Indexer } from '../lib/domain/ports/indexer.ts'
import { operation } from '../lib/http/endpoint.ts'
import { lambda } from '../lib/http/lambda.ts'
import { VerbatimJson } from '../lib/json/verbatim-json.ts'
import { playerDetailsLimits, serviceTokenSettings } from '../lib/settings/environment.ts'

/** 4.12: the player's id, name and exact balance of the service's token over all wallets (D29, D36). */
export const getPlayerDetails = operation(
  'getPlayerDetails',
  async (
    { player: { userId, username, wallets }, deadline },
    { indexer, serviceToken }: { indexer: Indexer; serviceToken: ServiceToken },
  ) => {
    const units = await totalBalance(serviceToken, wallets, deadline, indexer)
    const { token, ...details } = serviceToken
    const amountText = decimalAmount(units, serviceToken.decimals)
    const amount = new VerbatimJson(amountText)
    return { data: { userId, username, amountText, token: { ...token, ...details }, amount } }
  },
)

export const handler = lambda(getPlayerDetails, {
  playerTokens: josePlayerTokens(playerTokenKeys()),
  players: dynamoPlayers(openTable()),
  playerLimits: playerDetailsLimits(),
  indexer: alchemyIndexer(secretsIndexerKey()),
  serviceToken: serviceTokenSettings(),
})
