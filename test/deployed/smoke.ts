import { samples } from '@player-nfts/local/samples'
import type { Credentials } from '../../scripts/smoke-test/credentials.ts'
import type { Checked } from '../../scripts/smoke-test/expected.ts'
import type { Service } from '../support/services/service.ts'
import { succeed } from './survival.ts'

/** The credentials of the smoke test: a key of a product, which gets a contract, and a token of a player with an NFT of it. */
export async function playerOfProduct(
  service: Service,
  apiKey: string,
): Promise<Required<Pick<Credentials, 'apiKey' | 'playerToken'>>> {
  const { chain, address: contractAddress } = samples.collections.keepers
  const body = { chain, contractAddress, contractDescription: 'Lamp keepers.', tokens: ['*'] }
  await succeed(service, 'POST /product/tokens', { apiKey, body })
  const { playerToken } = await service.newPlayer(samples.players.oneWallet.wallets)
  return { apiKey, playerToken }
}

/** What a smoke test has found wrong. */
export const faultsIn = (checked: readonly Checked[]): string[] =>
  checked.flatMap(({ fault }) => (fault === undefined ? [] : [fault]))
