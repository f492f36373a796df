import { ownedBy } from '@player-nfts/local/indexer/holdings'
import { setSource } from '@player-nfts/local/indexer/metadata-cache'
import { createWorld, setBalance } from '@player-nfts/local/indexer/world'
import { afterAll, expect, test } from 'vitest'
import { chains, coveredChains } from '../../lib/domain/nft/chain.ts'
import { productWith } from '../support/requests/reading.ts'
import { startOwnService, startTestIndexer } from '../support/services/own-service.ts'
import { newAddress } from '../support/services/service.ts'

const world = createWorld()
const indexer = await startTestIndexer(world, afterAll)
/** Its AWS is that of all services of this file. */
const { stack } = await startOwnService({}, afterAll)

/** The networks that the indexer was asked about, from now on. */
const networks = () => [...indexer.networks.keys()]

test.each(coveredChains)(
  'D56: %s is allowlisted, read, refreshed, and has a balance',
  async (chain) => {
    const { network } = chains[chain]
    const [address, token, wallet] = [newAddress(), newAddress(), newAddress()]
    ownedBy(world, { network, address }, wallet, ['1', '2', '3'])
    setBalance(world, { network, address: token, wallet }, 25n)
    const service = await startOwnService({
      AWS_ENDPOINT_URL: stack.aws.endpoint ?? '',
      INDEXER_URL: indexer.url,
      ALLOWLIST_CHAINS: chain,
      SERVICE_TOKEN: `${chain}:${token}:1:WICK`,
    })
    const apiKey = await productWith(service, { chain, address, tokenIds: ['1', '3', '4'] })
    const { playerToken } = await service.newPlayer([wallet])
    indexer.networks.clear()

    const read = await service.call('GET /player/tokens/raw', {
      apiKey,
      playerToken,
      query: { chains: chain },
    })
    expect(read.json.data).toMatchObject(
      ['1', '3'].map((tokenId) => ({ tokenId, address, chain, owner: wallet })),
    )

    setSource(world, { network, address, tokenId: '3' }, { metadata: '{"name":"Anew"}' })
    const body = { smartContract: address, chain }
    const refresh = await service.call('POST /tokens/refresh', { apiKey, body })
    expect(refresh.json.data).toMatchObject({ chains: [chain], checked: 3, changed: 1 })

    const details = await service.call('GET /player/details', { playerToken })
    const serviceToken = { chain, address: token, decimals: 1, symbol: 'WICK' }
    expect(details.json.data).toMatchObject({ amount: 2.5, token: serviceToken })
    expect(networks()).toEqual([network])
  },
)
