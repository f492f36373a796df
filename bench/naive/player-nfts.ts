// A straightforward first version of the reads of a player's NFTs, with which the benchmark compares.

import { DynamoDBClient } from '@aws-sdk/client-dynamodb'
import { GetPublicKeyCommand, KMSClient } from '@aws-sdk/client-kms'
import { DynamoDBDocumentClient, GetCommand, QueryCommand } from '@aws-sdk/lib-dynamodb'
import { Alchemy, Network, type OwnedNft } from 'alchemy-sdk'
import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2 } from 'aws-lambda'
import { importSPKI, jwtVerify } from 'jose'

interface Nft {
  chain: string
  address: string
  tokenId: string
}

/** The credentials of a request are not valid. */
class Unauthorized extends Error {}

/** A handler that answers the player's NFTs. `render` makes the metadata of each. */
export const playerNftsHandler =
  (render: (metadata: OwnedNft['raw']['metadata']) => object) =>
  async (event: APIGatewayProxyEventV2): Promise<APIGatewayProxyStructuredResultV2> => {
    try {
      const found = await playerNfts(event)
      const data = found.map(({ chain, address, owner, nft }) => ({
        tokenId: nft.tokenId,
        address,
        chain,
        owner,
        balance: nft.balance,
        metadataLink: nft.tokenUri ?? '',
        ...render(nft.raw.metadata),
      }))
      return respond(200, { data, success: true })
    } catch (error) {
      if (error instanceof Unauthorized) {
        return respond(401, { success: false, message: error.message })
      }
      console.error(error)
      return respond(500, { success: false, message: 'Internal error' })
    }
  }

const respond = (statusCode: number, body: unknown) => ({
  statusCode,
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(body),
})

/** The NFTs that are in the player's wallets and allowlisted to the product. */
async function playerNfts({ headers, queryStringParameters = {} }: APIGatewayProxyEventV2) {
  const productPk = await productOf(headers['x-api-key'] ?? '')
  const wallets = await walletsOf(queryStringParameters['playerToken'] ?? '')
  const allowed = (await list(productPk, 'NFT#')) as unknown as Nft[]
  const allowedKeys = new Set(allowed.map((nft) => `${nft.chain}/${nft.address}/${nft.tokenId}`))
  const found: { chain: string; address: string; owner: string; nft: OwnedNft }[] = []
  for (const chain of new Set(allowed.map((nft) => nft.chain))) {
    const onChain = allowed.filter((nft) => nft.chain === chain)
    const contracts = [...new Set(onChain.map(({ address }) => address))]
    for (const owner of wallets) {
      for (const nft of await nftsOf(chain, owner, contracts)) {
        const address = nft.contract.address.toLowerCase()
        if (!allowedKeys.has(`${chain}/${address}/${nft.tokenId}`)) continue
        found.push({ chain, address, owner, nft })
      }
    }
  }
  return found
}

/** The partition of the product that an API key belongs to. */
async function productOf(apiKey: string): Promise<string> {
  const pk = `PRODUCT#${apiKey}`
  if (!(await get(pk, 'PROFILE'))) throw new Unauthorized('The API key is not known.')
  return pk
}

/** The wallets of the player who has a player token. */
async function walletsOf(playerToken: string): Promise<string[]> {
  const userId = await verifyPlayerToken(playerToken).catch(() => {
    throw new Unauthorized('The player token is not valid.')
  })
  const player = await get(`PLAYER#${userId}`, 'PROFILE')
  if (!player) throw new Unauthorized('The player is not known.')
  return player['wallets'] as string[]
}

const kms = new KMSClient({})
const {
  ISSUER: issuer = '',
  PLAYER_TOKEN_AUDIENCE: audience = '',
  PLAYER_TOKEN_KEY_ARNS: KeyId = '',
} = process.env

/** The public key of the KMS key, read once. */
let publicKey: ReturnType<typeof readPublicKey> | undefined

async function readPublicKey() {
  const { PublicKey = new Uint8Array() } = await kms.send(new GetPublicKeyCommand({ KeyId }))
  const base64 = Buffer.from(PublicKey).toString('base64')
  return await importSPKI(
    `-----BEGIN PUBLIC KEY-----\n${base64}\n-----END PUBLIC KEY-----`,
    'ES256',
  )
}

async function verifyPlayerToken(token: string): Promise<string> {
  publicKey ??= readPublicKey()
  const { payload } = await jwtVerify(token, await publicKey, { issuer, audience })
  return payload.sub ?? ''
}

const dynamodb = DynamoDBDocumentClient.from(new DynamoDBClient({}))
const TableName = process.env['TABLE_NAME']

type Item = Record<string, unknown>

async function get(pk: string, sk: string): Promise<Item | undefined> {
  const { Item } = await dynamodb.send(new GetCommand({ TableName, Key: { pk, sk } }))
  return Item
}

/** All items of a partition with this prefix of the sort key. */
async function list(pk: string, prefix: string): Promise<Item[]> {
  const items: Item[] = []
  let ExclusiveStartKey: Item | undefined
  do {
    const page = await dynamodb.send(
      new QueryCommand({
        TableName,
        KeyConditionExpression: 'pk = :pk AND begins_with(sk, :prefix)',
        ExpressionAttributeValues: { ':pk': pk, ':prefix': prefix },
        ExclusiveStartKey,
      }),
    )
    items.push(...(page.Items ?? []))
    ExclusiveStartKey = page.LastEvaluatedKey
  } while (ExclusiveStartKey)
  return items
}

const networks: Record<string, Network> = {
  POLYGON: Network.MATIC_MAINNET,
  BSC: Network.BNB_MAINNET,
}

const apiKey = process.env['ALCHEMY_API_KEY'] ?? 'key'
/** The host of the indexer, if it is not Alchemy's. */
const baseUrl = process.env['INDEXER_URL']

async function nftsOf(
  chain: string,
  wallet: string,
  contractAddresses: string[],
): Promise<OwnedNft[]> {
  const network = networks[chain] as Network
  const url = baseUrl && `${baseUrl}/${network}/nft/v3/${apiKey}`
  const alchemy = new Alchemy({ apiKey, network, ...(url && { url }) })
  const nfts: OwnedNft[] = []
  let pageKey: string | undefined
  do {
    const page = await alchemy.nft.getNftsForOwner(wallet, {
      contractAddresses,
      ...(pageKey && { pageKey }),
    })
    nfts.push(...page.ownedNfts)
    pageKey = page.pageKey
  } while (pageKey)
  return nfts
}
