import { maxResponseBytes, renderRaw, renderRawText } from '../../lib/contract/nft-entries.ts'
import { type PlayerNftsPorts, readPlayerNfts } from '../../lib/domain/player/player-nfts.ts'
import {
  type BeginningPorts,
  beginPlayerNfts,
} from '../../lib/domain/player/player-nfts-beginning.ts'
import { operation } from '../../lib/http/endpoint.ts'
import { lambda } from '../../lib/http/lambda.ts'
import { playerNftsPorts } from '../composition/player-nfts-ports.ts'
import { row } from './operation.ts'

/** 4.8: the player's allowlisted NFTs with their metadata to the byte (D24, D26, D130). */
export const getRawMetadata = operation(
  row,
  async (
    { query: { chainDtos, chains = chainDtos, rawMetadata, ...range }, ...input },
    ports: PlayerNftsPorts & BeginningPorts,
  ) => {
    const request = { operation: 'getRawMetadata', ...input, ...range, chains }
    // The form is no part of what a cursor belongs to: a list can go on in the other form (D130).
    const render = rawMetadata === 'text' ? renderRawText : renderRaw
    const form = { render, maxSize: maxResponseBytes }
    const { entries: data, ...rest } = await readPlayerNfts(request, form, ports)
    return { data, ...rest }
  },
  { beforePlayer: beginPlayerNfts },
)

export const handler = lambda(getRawMetadata, playerNftsPorts())
