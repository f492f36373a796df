import { alchemyIndexer } from '../../lib/adapters/alchemy/alchemy-indexer.ts'
import { dynamoKeptBalances } from '../../lib/adapters/dynamodb/kept-balances.ts'
import { dynamoPlayers } from '../../lib/adapters/dynamodb/players.ts'
import { openTable } from '../../lib/adapters/dynamodb/table.ts'
import { josePlayerTokens } from '../../lib/adapters/jose/player-tokens.ts'
import { secretsIndexerKey } from '../../lib/adapters/secrets/indexer-key.ts'
import { decimalAmount, totalBalance } from '../../lib/domain/player/balance.ts'
import { handlerOf } from '../../lib/http/lambda.ts'
import { VerbatimJson } from '../../lib/json/verbatim-json.ts'
import { playerDigests } from '../../lib/observability/player-digest.ts'
import { balanceSettings } from '../../lib/settings/balances.ts'
import { serviceTokenSettings } from '../../lib/settings/indexer.ts'
import { playerDetailsLimits } from '../../lib/settings/limits.ts'
import { playerDigestSettings } from '../../lib/settings/resources.ts'
import { playerTokenKeys } from '../composition/token-keys.ts'
import { row } from './operation.ts'

const table = openTable()

/** 4.12: the player's id, name and exact balance of the service's token over all wallets (D29, D36). */
export const handler = handlerOf(
  row,
  {
    playerTokens: josePlayerTokens(playerTokenKeys()),
    players: dynamoPlayers(table),
    playerLimits: playerDetailsLimits(),
    playerDigest: playerDigests(playerDigestSettings().key),
    indexer: alchemyIndexer(secretsIndexerKey()),
    keptBalances: dynamoKeptBalances(table, balanceSettings()),
    serviceToken: serviceTokenSettings(),
  },
  async ({ player: { userId, username, wallets }, ...request }, { serviceToken, ...ports }) => {
    const { units, ...freshness } = await totalBalance(serviceToken, wallets, request, ports)
    const { token, ...details } = serviceToken
    const amountText = decimalAmount(units, serviceToken.decimals)
    const amount = new VerbatimJson(amountText)
    const data = { userId, username, amountText, token: { ...token, ...details }, amount }
    return { data, ...freshness }
  },
)
