// A game server with the client that @hey-api/openapi-ts generates. It prints what it reads as JSON.
import { client } from './client/client.gen.js'
import { getPlayerDetails, getProduct, getRawMetadata } from './client/sdk.gen.js'
import type { RawNft } from './client/types.gen.js'

const [baseUrl = '', apiKey = '', playerToken = ''] = process.argv.slice(2)
client.setConfig({
  baseUrl,
  auth: ({ name }) => (name === 'X-Api-Key' ? apiKey : playerToken),
})

const nfts: RawNft[] = []
let cursor: string | undefined
do {
  const query = { chains: ['POLYGON', 'BSC'], limit: 3, ...(cursor && { cursor }) }
  const { data, error } = await getRawMetadata({ query })
  if (!data) throw new Error(JSON.stringify(error))
  nfts.push(...data.data)
  cursor = data.nextCursor
} while (cursor !== undefined)

const details = await getPlayerDetails()
const userId: number | undefined = details.data?.data.userId

const refused = await getProduct({ headers: { 'X-Api-Key': 'unknown' }, auth: () => undefined })
const code: string | undefined =
  refused.error && 'code' in refused.error ? refused.error.code : undefined

const names: (string | undefined)[] = nfts.map(({ rawMetadata }) =>
  typeof rawMetadata?.['name'] === 'string' ? rawMetadata['name'] : undefined,
)
console.log(JSON.stringify({ nfts, userId, code, names }))
