import { maxResponseBytes, renderStructured } from '../../lib/contract/nft-entries.ts'
import type { OwnedNft } from '../../lib/domain/nft/owned-nft.ts'
import { readPlayerNfts } from '../../lib/domain/player/player-nfts.ts'
import { beginPlayerNfts } from '../../lib/domain/player/player-nfts-beginning.ts'
import { handlerOf } from '../../lib/http/lambda.ts'
import { gatewaySettings } from '../../lib/settings/indexer.ts'
import { playerNftsPorts } from '../composition/player-nfts-ports.ts'
import { row } from './operation.ts'

/** 4.9: the player's allowlisted NFTs with their metadata in one common form (D24, D134). */
export const handler = handlerOf(
  row,
  { ...playerNftsPorts(), gateways: gatewaySettings() },
  async (
    { query: { chainDtos, chains = chainDtos, ...range }, ...input },
    { gateways, ...ports },
  ) => {
    const request = { operation: 'getStructuredMetadata', ...input, ...range, chains }
    const render = (nft: OwnedNft) => renderStructured(nft, gateways)
    const form = { render, maxSize: maxResponseBytes }
    const { entries: data, ...rest } = await readPlayerNfts(request, form, ports)
    return { data, ...rest }
  },
  { beforePlayer: beginPlayerNfts },
)
