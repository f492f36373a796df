import { createHash } from 'node:crypto'
import { chmod, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { ProductId } from '../../lib/domain/product/product.ts'
import type { Day } from '../../lib/domain/usage/usage.ts'
import type { LocalStack } from '../local-stack.ts'
import { npmCommand } from '../npm-command.ts'
import { samplePlayerToken } from './sample-player-token.ts'
import { type SampleCollection, samples } from './samples.ts'

/**
 * Registers the sample product through the API, unless it exists already, and lets it sign players in. Allowlists the sample
 * collections that no earlier start has allowlisted, and returns the product's API key. The data folder keeps the key,
 * because the table holds only its digest. `writeUsage`: writes the usage of a new product, and returns its last day. Rejects if a call fails.
 */
export async function sampleProduct(
  baseUrl: string,
  dataDir: string,
  openChains: readonly string[],
  writeUsage?: (productId: ProductId) => Promise<Day>,
): Promise<SampleProduct> {
  const file = join(dataDir, 'sample-product.json')
  const known = await readProduct(file)
  const isRegistered =
    known && (await call(baseUrl, 'GET', '/product', { 'x-api-key': known.apiKey })).ok
  const product = isRegistered ? known : await register(baseUrl, writeUsage)
  const before = isRegistered ? known.collections : []
  const collections = Object.values<SampleCollection>(samples.collections)
    .filter(({ chain }) => openChains.includes(chain))
    .filter(({ address }) => !before.includes(address))
  for (const collection of collections) await allowlist(baseUrl, product.apiKey, collection)
  const { apiKey, usageUntil } = product
  const sample = { apiKey, ...(usageUntil && { usageUntil }) }
  if (isRegistered && collections.length === 0) return sample
  const stored: StoredProduct = {
    ...sample,
    checksum: checksumOf(apiKey),
    collections: [...before, ...collections.map(({ address }) => address)],
  }
  await writeFile(file, JSON.stringify(stored), { mode: 0o600 })
  await chmod(file, 0o600)
  return sample
}

async function register(
  baseUrl: string,
  writeUsage?: (productId: ProductId) => Promise<Day>,
): Promise<SampleProduct> {
  const registered = await call(
    baseUrl,
    'POST',
    '/product',
    {},
    {
      name: 'Lanterns of Brindlewake',
      description: 'The sample game of the local stack.',
      contactEmail: 'studio@brindlewake.example',
      companyName: 'Gull Harbour Games',
      website: 'https://brindlewake.example',
    },
  )
  if (!registered.ok) throw new Error('The sample product could not be registered.')
  const { apiKey, productId } = registered.data as { apiKey: string; productId: ProductId }
  const headers = { 'x-api-key': apiKey }
  const permitted = await call(baseUrl, 'PATCH', '/product', headers, { signIn: true })
  if (!permitted.ok) throw new Error('The sample product could not permit sign-in with wallets.')
  const usageUntil = await writeUsage?.(productId)
  return { apiKey, ...(usageUntil && { usageUntil }) }
}

async function allowlist(baseUrl: string, apiKey: string, collection: SampleCollection) {
  const { chain, address, name, tokenIds } = collection
  const answer = await call(
    baseUrl,
    'POST',
    '/product/tokens',
    { 'x-api-key': apiKey },
    {
      chain,
      contractAddress: address,
      contractDescription: name,
      tokens: tokenIds,
    },
  )
  if (answer.ok) return
  const { detail = '' } = answer
  throw new Error(`The sample collection ${name} could not be allowlisted. ${detail}`.trim())
}

/** The command that mints an NFT to the player of {@link sampleCommands}. */
export const mintCommand = (dataDir: string): string =>
  npmCommand(dataDir, `mint -- --to ${samples.players.threeWallets.username}`)

/** Returns three commands that call the service. Developers can paste them without changes. */
export async function sampleCommands(
  stack: Pick<LocalStack, 'url' | 'userJwtKey'>,
  apiKey: string,
): Promise<string[]> {
  const playerToken = await samplePlayerToken(stack, samples.players.threeWallets)
  const base = `${stack.url}/api/public/v1`
  const asProduct = `curl -w '\\n' -H 'X-Api-Key: ${apiKey}'`
  return [
    `${asProduct} '${base}/player/tokens?playerToken=${playerToken}'`,
    `${asProduct} '${base}/player/tokens/raw?chains=BSC&playerToken=${playerToken}'`,
    `curl -w '\\n' '${base}/player/details?playerToken=${playerToken}'`,
  ]
}

/** The sample product of the local stack. */
export interface SampleProduct {
  apiKey: string
  /** The last day of its invented usage; absent without such a usage. */
  usageUntil?: Day
}

interface StoredProduct extends SampleProduct {
  /** That of the key. */
  checksum: string
  /** The addresses of the collections that were allowlisted. */
  collections: readonly string[]
}

/** Returns the product in the file, or `undefined` without a file. Throws if others have changed the file. */
async function readProduct(file: string): Promise<StoredProduct | undefined> {
  const content = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined
    throw error
  })
  if (content === undefined) return undefined
  const stored = parsedProduct(content)
  if (stored?.checksum === checksumOf(`${stored?.apiKey}`)) return stored
  throw new Error(
    `${file} is damaged: delete it, and the next start registers another sample product.`,
  )
}

function parsedProduct(content: string): StoredProduct | undefined {
  try {
    return JSON.parse(content)
  } catch {
    return undefined
  }
}

const checksumOf = (text: string) => createHash('sha256').update(text).digest('hex')

async function call(
  baseUrl: string,
  method: string,
  path: string,
  headers: Record<string, string>,
  body?: unknown,
): Promise<{ ok: boolean; data?: unknown; detail?: string }> {
  const response = await fetch(`${baseUrl}/api/public/v1${path}`, {
    method,
    headers: { 'content-type': 'application/json', ...headers },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  const answer = (await response.json()) as { data?: unknown; detail?: string }
  return { ...answer, ok: response.ok }
}
