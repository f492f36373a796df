import { ownedBy } from '@player-nfts/local/indexer/holdings'
import { createWorld, setBalance } from '@player-nfts/local/indexer/world'
import { expect, test } from 'vitest'
import { chains } from '../../lib/domain/nft/chain.ts'
import { lineOf } from '../support/requests/log-lines.ts'
import { productWith } from '../support/requests/reading.ts'
import { startOwnService, startTestIndexer } from '../support/services/own-service.ts'
import { newAddress } from '../support/services/service.ts'

test('D161: a player of a login whose wallets count on one chain has the NFTs and the balance of no other', async () => {
  const world = createWorld()
  const indexer = await startTestIndexer(world)
  const [address, wallet, token] = [newAddress(), newAddress(), newAddress()]
  for (const chain of ['BASE', 'POLYGON'] as const) {
    const { network } = chains[chain]
    ownedBy(world, { network, address }, wallet, ['1'])
    setBalance(world, { network, address: token, wallet }, 25n)
  }
  const settings = {
    INDEXER_URL: indexer.url,
    ALLOWLIST_CHAINS: 'BASE,POLYGON',
    SERVICE_TOKEN: `POLYGON:${token}:1:WICK`,
  }
  const onAll = await startOwnService(settings)
  const onBase = await startOwnService({
    ...settings,
    WALLET_CHAINS: 'BASE,OPTIMISM',
    AWS_ENDPOINT_URL: onAll.stack.aws.endpoint ?? '',
  })
  const nfts = { address, tokenIds: ['1'] }
  const apiKey = await productWith(onAll, { chain: 'BASE', ...nfts }, { chain: 'POLYGON', ...nfts })

  for (const [{ call, userJwt, log }, shown, amount] of [
    [onBase, ['BASE'], 0],
    [onAll, ['BASE', 'POLYGON'], 2.5],
  ] as const) {
    const signedIn = await call('GET /player/token', {
      userJwt: await userJwt({ wallets: [wallet] }),
    })
    expect(await lineOf(log, signedIn)).toMatchObject({ walletsKept: 1, walletsLeftOut: 0 })
    const playerToken = signedIn.json.data.token
    indexer.networks.clear()
    const { json } = await call('GET /player/tokens/raw', { apiKey, playerToken })
    expect(json.data.map((nft: { chain: string }) => nft.chain).toSorted()).toEqual(shown)
    expect([...indexer.networks.keys()].toSorted()).toEqual(
      shown.map((chain) => chains[chain].network),
    )
    const details = await call('GET /player/details', { playerToken })
    expect(details.json.data).toMatchObject({ amount })
  }
})
