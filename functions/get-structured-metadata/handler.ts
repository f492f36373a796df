import { maxResponseBytes, renderStructured } from '../../lib/contract/nft-entries.ts'
import type { Gateways } from '../../lib/domain/nft/image-url.ts'
import type { OwnedNft } from '../../lib/domain/nft/owned-nft.ts'
import { type PlayerNftsPorts, readPlayerNfts } from '../../lib/domain/player/player-nfts.ts'
import {
  type BeginningPorts,
  beginPlayerNfts,
} from '../../lib/domain/player/player-nfts-beginning.ts'
import { operation } from '../../lib/http/endpoint.ts'
import { lambda } from '../../lib/http/lambda.ts'
import { gatewaySettings } from '../../lib/settings/indexer.ts'
import { playerNftsPorts } from '../composition/player-nfts-ports.ts'
import { row } from './operation.ts'

/** 4.9: the player's allowlisted NFTs with their metadata in one common form (D24, D134). */
export const getStructuredMetadata = operation(
  row,
  async (
    { query: { chainDtos, chains = chainDtos, ...range }, ...input },
    { gateways, ...ports }: PlayerNftsPorts & BeginningPorts & { gateways: Gateways },
  ) => {
    const request = { operation: 'getStructuredMetadata', ...input, ...range, chains }
    const render = (nft: OwnedNft) => renderStructured(nft, gateways)
    const form = { render, maxSize: maxResponseBytes }
    const { entries: data, ...rest } = await readPlayerNfts(request, form, ports)
    return { data, ...rest }
  },
  { beforePlayer: beginPlayerNfts },
)

export const handler = lambda(getStructuredMetadata, {
  ...playerNftsPorts(),
  gateways: gatewaySettings(),
})
