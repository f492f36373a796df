import type { GatewayResponse } from '../../api-gateway/function-response.ts'
import type { SourceAnswer } from '../../indexer/world.ts'
import { crate, equipment, keeper, lantern, pictureFolders, vessel } from '../sample-metadata.ts'
import { type Draw, type Subject, svg } from './drawing.ts'
import { drawKeeper } from './keeper.ts'
import { drawCrate, drawGear, drawLantern } from './things.ts'
import { drawVessel } from './vessel.ts'

/** The gateways in the links of pictures, by the names of their settings (D134). */
export type PictureGateways = Record<'IPFS_GATEWAY' | 'ARWEAVE_GATEWAY', string>

/** The gateways of the local stack, below its URL. */
export const pictureGateways = (url: string): PictureGateways => ({
  IPFS_GATEWAY: `${url}/ipfs/`,
  ARWEAVE_GATEWAY: `${url}/arweave/`,
})

/** The pictures by the folder of their links: how they are drawn, and the documents that they belong to. */
const folders = new Map<string, readonly [Draw, (tokenId: number) => SourceAnswer]>([
  [pictureFolders.keepers, [drawKeeper, keeper]],
  [pictureFolders.gear, [drawGear, equipment]],
  [pictureFolders.lanterns, [drawLantern, lantern]],
  [pictureFolders.vessels, [drawVessel, vessel]],
  [pictureFolders.vesselsOnArweave, [drawVessel, vessel]],
  [pictureFolders.crates, [drawCrate, crate]],
])

/**
 * Returns the picture of a sample NFT, in the place of an IPFS or Arweave gateway that has it: an SVG document that is
 * drawn from the metadata. Returns `undefined` for other paths.
 */
export function samplePicture(method: string, path: string): GatewayResponse | undefined {
  const [, folder = '', number = ''] =
    /^\/(?:ipfs|arweave)\/([\w-]+)\/(\d{1,9})\.svg$/.exec(path) ?? []
  const kind = folders.get(folder)
  if (!kind || !['GET', 'HEAD'].includes(method)) return undefined
  const [draw, documentOf] = kind
  const tokenId = Number(number)
  return {
    status: 200,
    headers: {
      'content-type': 'image/svg+xml',
      'cache-control': 'public, max-age=3600',
      // An SVG document that is opened by itself must not be able to run anything in the origin of the dashboard.
      'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; sandbox",
      'cross-origin-resource-policy': 'cross-origin',
      'x-content-type-options': 'nosniff',
    },
    body: Buffer.from(svg(draw(subjectOf(tokenId, documentOf(tokenId))))),
  }
}

/** The members of the sample metadata that pictures show. */
interface Document {
  name?: string
  attributes?: readonly { trait_type?: string; value?: unknown }[]
  brindlewakeItem?: Readonly<Record<string, unknown>>
}

function subjectOf(tokenId: number, { metadata }: SourceAnswer): Subject {
  const { name = '', attributes = [], brindlewakeItem = {} } = JSON.parse(metadata) as Document
  const traits = new Map(attributes.map(({ trait_type, value }) => [trait_type, value]))
  return {
    tokenId,
    name,
    trait: (wanted) => `${traits.get(wanted) ?? brindlewakeItem[wanted] ?? ''}`,
  }
}
