import { maxResponseBytes, renderRaw, renderRawText } from '../../lib/contract/nft-entries.ts'
import { readPlayerNfts } from '../../lib/domain/player/player-nfts.ts'
import { beginPlayerNfts } from '../../lib/domain/player/player-nfts-beginning.ts'
import { handlerOf } from '../../lib/http/lambda.ts'
import { playerNftsPorts } from '../composition/player-nfts-ports.ts'
import { row } from './operation.ts'

/** 4.8: the player's allowlisted NFTs with their metadata to the byte (D24, D26, D130). */
export const handler = handlerOf(
  row,
  playerNftsPorts(),
  async ({ query: { chainDtos, chains = chainDtos, rawMetadata, ...range }, ...input }, ports) => {
    const request = { operation: 'getRawMetadata', ...input, ...range, chains }
    // The form is no part of what a cursor belongs to: a list can go on in the other form (D130).
    const render = rawMetadata === 'text' ? renderRawText : renderRaw
    const form = { render, maxSize: maxResponseBytes }
    const { entries: data, ...rest } = await readPlayerNfts(request, form, ports)
    return { data, ...rest }
  },
  { beforePlayer: beginPlayerNfts },
)
