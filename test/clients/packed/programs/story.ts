import {
  type AllowedNft,
  allowlistInBatches,
  BadRequestError,
  type ConnectedContract,
  NotFoundError,
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

/** Uses every operation of the client as a game would, and returns what it saw, as JSON. */
export async function story({ baseUrl, playerToken, userJwt, contractAddress }: World) {
  const open = new PlayerNfts({ baseUrl, playerToken, userJwt })
  const registration = { name: 'Tide Crates', contactEmail: 'a@b.example', companyName: 'Gull' }
  const { apiKey, productId } = await open.registerProduct(registration)
  const client = open.withOptions({ apiKey })
  const { requestId, data: product } = await client.getProduct().withResponse()
  const { website } = await client.updateProduct({
    website: 'https://a.example',
    description: null,
  })

  const contract = { chain: 'POLYGON', contractAddress }
  const list = { ...contract, contractDescription: 'Equipment of the keepers', tokens: ['2', 17n] }
  const allowed: AllowedNft[] = await client.allowlistNfts(list)
  const { done } = await allowlistInBatches(client, { ...list, tokens: ['3', '5..9'] })
  const entries = await client.getAllowedNfts({ limit: 1 }).toArray()
  const contracts: ConnectedContract[] = await client.getContracts().toArray()

  const { data: described } = await client.getNfts({ ...contract, limit: 1 }).page()
  const nfts: StructuredNft[] = []
  for await (const nft of client.getStructuredMetadata({ chains: ['POLYGON'], limit: 1 }))
    nfts.push(nft)
  const { data: raw } = await client.getRawMetadata().page()
  const player = await client.getPlayerDetails()
  const balance = await client.getPlayerBalance()
  const { token } = await client.createPlayerToken({ productId })

  const report = await client.refreshMetadata({ smartContract: contractAddress })
  const { removed } = await client.unbindNfts({ ...contract, tokens: ['3'] })
  const unbound = await client.unbindNftList({ ...contract, tokens: ['2', '99'] })
  await client.unbindContract(contract)
  const { keyId } = await client.createKey({ label: 'Game', scope: 'READ' })
  const rotated = await client.rotateKey({ keyId, overlapSeconds: 0 })
  const ended = await client.endKey({ keyId: rotated.keyId })
  const keys = await client.listKeys()
  const { data: events } = await client.getEvents({ limit: 3 }).page()
  const usage = await client.getUsage({ days: 1 })
  const { publicKey } = await client.getPublicKey()
  const keySet = await client.getKeySet()
  const document = await client.getOpenapi()
  await client.deleteProduct({ confirm: registration.name })
  return {
    product: product.productId === productId,
    requestId: typeof requestId,
    website,
    allowed: allowed.map(({ tokenId }) => tokenId),
    done,
    entries: entries.map(({ tokenId }) => tokenId),
    contracts: contracts.map(({ nftCount }) => nftCount),
    described: described.map(({ tokenId }) => tokenId),
    names: nfts.map(({ formattedMetadata }) => formattedMetadata.name),
    raw: raw.every(isExact),
    amounts: [player.amountText, balance.amountText],
    tokenOfGame: token.split('.').length,
    checked: report.checked,
    removed: [removed, unbound.removed],
    ended: ended.endReason,
    keys: keys.length,
    events: events.map(({ action }) => action),
    usage: usage.length,
    publicKey: publicKey.length > 50,
    keySet: keySet.keys.length > 0,
    openapi: document['openapi'],
    failures: await failures(client, contract),
  }
}

/** Whether the text of raw metadata is that of the parsed metadata, whose numbers may be written in another form. */
const isExact = ({ rawMetadataText, rawMetadata }: RawNft) =>
  JSON.stringify(JSON.parse(rawMetadataText)) === JSON.stringify(rawMetadata)

/** What fails, and how. */
async function failures(client: PlayerNfts, contract: { chain: string; contractAddress: string }) {
  const other = client.withOptions({ apiKey: '' })
  const calls: (() => Promise<unknown>)[] = [
    () => client.getProduct(),
    () => other.unbindContract(contract),
    () => client.getUsage({}, { signal: AbortSignal.abort() }),
    () => new PlayerNfts({ baseUrl: `${client.baseUrl}/no` }).getKeySet(),
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
    const classes = [UnauthorizedError, NotFoundError, BadRequestError, PlayerNftsError, TypeError]
    const Class = classes.find((each) => error instanceof each)
    const code = error instanceof PlayerNftsError ? error.code : ''
    const fields = error instanceof BadRequestError ? error.errors.map(({ path }) => path) : []
    seen.push([Class?.name, code, ...fields].join(' '))
  }
  return seen
}
