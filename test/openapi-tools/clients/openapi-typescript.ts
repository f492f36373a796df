// A game server with the types of openapi-typescript. It prints what it reads as JSON.
import createClient from 'openapi-fetch'
import type { components, paths } from './schema.js'

const [baseUrl = '', apiKey = '', playerToken = ''] = process.argv.slice(2)
const player = { 'X-Player-Token': playerToken }
const client = createClient<paths>({ baseUrl, headers: { 'X-Api-Key': apiKey } })

const nfts: components['schemas']['RawNft'][] = []
let cursor: string | undefined
do {
  const query = { chains: ['POLYGON', 'BSC'], limit: 3, ...(cursor && { cursor }) }
  const { data, error } = await client.GET('/api/public/v1/player/tokens/raw', {
    params: { query },
    headers: player,
  })
  if (error) throw new Error(JSON.stringify(error))
  nfts.push(...data.data)
  cursor = data.nextCursor
} while (cursor !== undefined)

const details = await client.GET('/api/public/v1/player/details', { headers: player })
const userId: number | undefined = details.data?.data.userId

const refused = await client.GET('/api/public/v1/product', { headers: { 'X-Api-Key': 'unknown' } })
const code: string | undefined =
  refused.error && 'code' in refused.error ? refused.error.code : undefined

const names: (string | undefined)[] = nfts.map(({ rawMetadata }) =>
  typeof rawMetadata?.['name'] === 'string' ? rawMetadata['name'] : undefined,
)
console.log(JSON.stringify({ nfts, userId, code, names }))
