import { PlayerTokenError, playerTokenVerifier } from 'player-nfts-client/verify'
import { story, type World } from './story.js'

const world = JSON.parse(process.env['WORLD'] ?? '') as World
const verify = playerTokenVerifier({
  keySetUrl: new URL('/.well-known/jwks.json', world.baseUrl),
  issuer: 'player-nfts-local',
  audience: 'player-nfts-local-games',
})

async function main() {
  const { userId } = await verify(world.playerToken)
  const forged: unknown = await verify(`${world.playerToken}x`).catch((error: unknown) => error)
  const code = forged instanceof PlayerTokenError ? forged.code : ''
  console.log(JSON.stringify({ ...(await story(world)), userId, code }))
}

main().catch((error: unknown) => {
  console.error(error)
  process.exitCode = 1
})
