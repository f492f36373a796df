import { randomBytes } from 'node:crypto'
import { ownedBy } from '@player-nfts/local/indexer/holdings'
import { setBalance } from '@player-nfts/local/indexer/world'
import { mintUserJwt } from '@player-nfts/local/user-jwt'
import { startFunctionProcess } from '../function-process.ts'
import type { Surroundings } from '../stubs/surroundings.ts'
import { type Subjects, subjectOf } from '../subjects/bundles.ts'
import { eventOf } from './events.ts'
import { collection, tokenIds } from './products.ts'

let players = 0

/** Signs in a player with these wallets. The naive peer reads the same player and accepts the same token. */
export async function signIn(
  subjects: Subjects,
  surroundings: Surroundings,
  wallets: readonly string[],
) {
  players += 1
  const user = { userId: players, username: `player_${players}`, wallets }
  const userJwt = await mintUserJwt(surroundings.userJwtKey, user, 3600)
  const subject = subjectOf(subjects, 'ours', 'create-player-token')
  await using container = await startFunctionProcess(subject, surroundings.variables)
  const { body } = await container.run([eventOf({ userJwt })])
  const playerToken: string = JSON.parse(body).data.token
  return { userJwt, playerToken }
}

const network = 'polygon-mainnet'

/** A wallet with the NFTs from 1 to this number of {@link collection}, and a balance of the service's token. */
export function newWallet(
  { world, variables }: Surroundings,
  nfts: number,
  metadata: (tokenId: string) => string = usualMetadata,
): string {
  const wallet = `0x${randomBytes(20).toString('hex')}`
  ownedBy(world, { network, address: collection }, wallet, tokenIds(nfts), { metadata })
  const [, address = ''] = (variables['SERVICE_TOKEN'] ?? '').split(':')
  setBalance(world, { network, address, wallet }, 12_500_000_000_000_000_000n)
  return wallet
}

/** A document of the usual size of a game item: about 600 bytes. */
const usualMetadata = (tokenId: string): string =>
  JSON.stringify({
    name: `Lamp Keeper #${tokenId}`,
    description:
      'Keepers tend the lamps of Brindlewake from dusk to dawn. This one has walked the north wall ' +
      'since the long winter and knows every stair by its sound.',
    image: `https://images.brindlewake.example/keepers/${tokenId}.png`,
    attributes: [
      { trait_type: 'Watch', value: 'North Wall' },
      { trait_type: 'Lamp Oil', value: Number(tokenId) % 100, display_type: 'number' },
      { trait_type: 'Steadiness', value: 5.5, display_type: 'boost_number' },
      { trait_type: 'Companion', value: 'Harbour Cat' },
    ],
    keeperItem: { name: 'Brass Wick', type: 'TOOL', modelName: 'wick_brass_02' },
  })
