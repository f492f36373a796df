import { playerTokenVerifier } from './verify-player-token.ts'

const {
  SERVICE_URL = 'http://127.0.0.1:3000',
  ISSUER = 'player-nfts-local',
  PLAYER_TOKEN_AUDIENCE = 'player-nfts-local-games',
  PRODUCT_ID,
  // In a variable, because other users of the machine see the arguments of a command.
  PLAYER_TOKEN = '',
} = process.env

const verify = playerTokenVerifier({
  serviceUrl: SERVICE_URL,
  issuer: ISSUER,
  audience: PLAYER_TOKEN_AUDIENCE,
  productId: PRODUCT_ID,
})
try {
  console.log(`This player token belongs to user ${await verify(PLAYER_TOKEN)}.`)
} catch (error) {
  const { message, code } = error as Error & { code?: string }
  console.error(`${message} (${code})`)
  process.exitCode = 1
}
