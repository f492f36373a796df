import {
  allowlistInBatches,
  BadRequestError,
  PlayerNfts,
  PlayerNftsError,
  type RawNft,
  type StructuredNft,
  UnauthorizedError,
} from 'player-nfts-client'

// @ts-expect-error: a misspelt field of an answer is an error of the compiler.
export const misspelt = ({ metdataLink }: RawNft) => metdataLink

/** What the story needs of a service. */
export interface World {
  baseUrl: string
  playerToken: string
  userJwt: string
  contractAddress: string
}

/** Uses each part of the client as a game would, and returns what it saw, as JSON. */
export async function story({ baseUrl, playerToken, userJwt, contractAddress }: World) {
  const open = new PlayerNfts({ baseUrl, playerToken, userJwt })
  const registration = { name: 'Tide Crates', contactEmail: 'a@b.example', companyName: 'Gull' }
  const { apiKey, productId } = await open.registerProduct(registration)
  const client = open.withOptions({ apiKey })
  const { requestId, data: product } = await client.getProduct().withResponse()
  const { website } = await client.updateProduct({ website: 'https://a.example' })

  const contract = { chain: 'POLYGON', contractAddress }
  const tokens = ['2', 17n, '5..9']
  const list = { ...contract, contractDescription: 'Equipment of the keepers', tokens }
  const { done } = await allowlistInBatches(client, list)
  const entries = await client.getAllowedNfts({ limit: 1 }).toArray()
  const nfts: StructuredNft[] = []
  for await (const nft of client.getStructuredMetadata({ chains: ['POLYGON'], limit: 1 }))
    nfts.push(nft)
  const { data: raw } = await client.getRawMetadata().page()
  const player = await client.getPlayerDetails()
  const { token } = await client.createPlayerToken({ productId })
  await client.deleteProduct({ confirm: registration.name })
  return {
    product: product.productId === productId,
    requestId: typeof requestId,
    website,
    done,
    entries: entries.map(({ tokenId }) => tokenId),
    names: nfts.map(({ formattedMetadata }) => formattedMetadata.name),
    raw: raw.every(isExact),
    amount: player.amountText,
    tokenOfGame: token.split('.').length,
    failures: await failures(client, contract),
  }
}

/** Whether the text of raw metadata is that of the parsed metadata, whose numbers may be written in another form. */
const isExact = ({ rawMetadataText, rawMetadata }: RawNft) =>
  JSON.stringify(JSON.parse(rawMetadataText)) === JSON.stringify(rawMetadata)

/** What fails, and how. */
async function failures(client: PlayerNfts, contract: { chain: string; contractAddress: string }) {
  const calls: (() => Promise<unknown>)[] = [
    () => client.getProduct(),
    () => client.getUsage({}, { signal: AbortSignal.abort() }),
    () => new PlayerNfts({ baseUrl: 'http://127.0.0.1:1', maxRetries: 0 }).getKeySet(),
    () => client.registerProduct({ name: '', contactEmail: 'a@b.example', companyName: 'Gull' }),
    // @ts-expect-error: a number has lost digits.
    () => client.allowlistNfts({ ...contract, tokens: [4] }),
    // @ts-expect-error: the parameter is missing.
    () => client.deleteProduct({}),
  ]
  const seen: string[] = []
  for (const call of calls) {
    const error: unknown = await call().catch((failure: unknown) => failure)
    const classes = [UnauthorizedError, BadRequestError, PlayerNftsError, TypeError]
    const Class = classes.find((each) => error instanceof each)
    const code = error instanceof PlayerNftsError ? error.code : ''
    const fields = error instanceof BadRequestError ? error.errors.map(({ path }) => path) : []
    seen.push([Class?.name, code, ...fields].join(' '))
  }
  return seen
}
