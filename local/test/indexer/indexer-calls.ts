import { afterAll, beforeEach, expect } from 'vitest'
import { startIndexerServer } from '../../indexer/indexer-server.ts'
import {
  addCollection,
  createWorld,
  type Network,
  type TokenType,
  type World,
} from '../../indexer/world.ts'

export const polygon = 'polygon-mainnet'

/** Returns an address that ends with the given digits. */
export const address = (digits: string) => `0x${digits.padStart(40, '0')}`

export const wallet = address('a1')
export const other = address('a2')
export const contract = address('c1')
export const place = { network: polygon, address: contract } as const

/** Identifies a token of the contract. */
export const token = (tokenId: string) => ({ ...place, tokenId })

/** Returns a number as JSON-RPC has it, and as 32 bytes of hexadecimal digits. */
export const hex = (number: number) => `0x${number.toString(16)}`
export const word = (value: string | number | bigint) =>
  BigInt(value).toString(16).padStart(64, '0')

/** Returns `'0'`, `'1'`, … */
export const numbered = (count: number) =>
  Array.from({ length: count }, (_, index) => String(index))

/** The members of an NFT that these tests use. */
export interface Nft {
  contract: { address: string; tokenType: string }
  tokenId: string
  balance: string
  timeLastUpdated: string
  raw: { metadata: unknown; error: string | null }
}

interface Page {
  ownedNfts: Nft[]
  totalCount: number
  validAt: { blockNumber: number; blockHash: string; blockTimestamp: string }
  pageKey: string | null
}

export type Query = Record<string, string | readonly string[]>

/** Deploys a contract of tokens 1 to 3, which mints others. */
export const deploy = (world: World, tokenType: TokenType, isMintable = true) =>
  addCollection(world, {
    network: polygon,
    address: contract,
    tokenType,
    name: 'Minted',
    totalSupply: 3,
    tokenUri: (tokenId) => `https://metadata.example/${tokenId}`,
    metadata: (tokenId) => (Number(tokenId) <= 3 ? { metadata: '{}' } : undefined),
    ...(isMintable && { minted: (tokenId) => ({ metadata: `{"name":"New ${tokenId}"}` }) }),
  })

/**
 * Serves a world to all tests of a file, empty at the start of each test, with a clock that tests can set.
 */
export async function startIndexerForTests() {
  const world = createWorld()
  const clock = { now: Date.UTC(2026, 5, 1) }
  const indexer = await startIndexerServer({ world, now: () => clock.now })
  afterAll(indexer.close)
  beforeEach(() => {
    Object.assign(world, createWorld())
    indexer.requests.clear()
  })
  return { world, clock, indexer, ...callsTo(indexer.url) }
}

function callsTo(url: string) {
  const urlOf = (method: string, query: Query, network: string = polygon) => {
    const search = new URLSearchParams()
    for (const [name, values] of Object.entries(query)) {
      for (const value of [values].flat()) search.append(name, value)
    }
    return `${url}/${network}/nft/v3/any-key/${method}?${search}`
  }
  const read = async (method: string, query: Query, network?: string) => {
    const response = await fetch(urlOf(method, query, network))
    return { status: response.status, text: await response.text() }
  }
  const refused = async (method: string, query: Query, network?: string) => {
    const { status, text } = await read(method, query, network)
    return { status, message: JSON.parse(text).error.message }
  }
  const page = async (query: Query, network?: Network): Promise<Page> => {
    const { status, text } = await read('getNFTsForOwner', query, network)
    expect(status).toBe(200)
    return JSON.parse(text)
  }
  const allPages = async (query: Query) => {
    const pages = [await page(query)]
    for (let key = pages[0]?.pageKey; key; key = pages.at(-1)?.pageKey) {
      expect(pages.length, 'pages without an end').toBeLessThan(1000)
      pages.push(await page({ ...query, pageKey: key }))
    }
    return pages
  }
  const post = async (path: string, body: unknown, network: string = polygon) => {
    const text = typeof body === 'string' ? body : JSON.stringify(body)
    const response = await fetch(`${url}/${network}/${path}`, { method: 'POST', body: text })
    return { status: response.status, json: await response.json() }
  }
  /** Sends a JSON-RPC request, and returns the members of its response except `jsonrpc` and `id`. */
  const rpc = async (method: string, params: readonly unknown[] = [], network?: Network) => {
    const request = { jsonrpc: '2.0', id: 1, method, params }
    const { status, json } = await post('v2/any-key', request, network)
    const { result, error } = json as {
      result?: unknown
      error?: { code: number; message: string }
    }
    return { status, result, error }
  }
  return { read, refused, page, allPages, post, rpc }
}
