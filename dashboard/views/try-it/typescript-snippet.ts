import { type Call, urlOf } from './call.ts'
import { scriptLiteral } from './literals.ts'

const metadata = {
  structured: `  formattedMetadata: {
    name: string
    description: string
    image: string | null
    attributes: { name: string; value: string }[]
  }`,
  raw: `  /** As the indexer sends it. JSON.parse rounds numbers above 2^53. */
  rawMetadata: Record<string, unknown>`,
} as const

/** The call as a module for Node, or for the page of a game. It has no dependencies. */
export const typescriptSnippet = (call: Call): string => `export interface Nft {
  /** Up to 78 digits: keep it as text. */
  tokenId: string
  address: string
  chain: string
  owner: string
  balance: string
  metadataLink: string
${metadata[call.form]}
}

export async function playerNfts(playerToken: string): Promise<Nft[]> {
  const url = new URL(${scriptLiteral(urlOf(call))})
  const headers = {${call.caller === 'server' ? "\n    'X-Api-Key': process.env['API_KEY'] ?? ''," : ''}
    'X-Player-Token': playerToken,
  }
  const nfts: Nft[] = []
  for (;;) {
    const response = await fetch(url, { headers })
    if (!response.ok) throw new Error(\`\${response.status}: \${await response.text()}\`)
    const page = (await response.json()) as { data: Nft[]; nextCursor?: string }
    nfts.push(...page.data)
    // A page can be short or empty: only a missing nextCursor means the end.
    if (page.nextCursor === undefined) return nfts
    url.searchParams.set('cursor', page.nextCursor)
  }
}
${call.caller === 'server' ? "\nconsole.log(await playerNfts(process.env['PLAYER_TOKEN'] ?? ''))\n" : ''}`
