import { type Call, urlOf } from './call.ts'
import { godotSnippet, unitySnippet, unrealSnippet } from './engine-snippets.ts'

/**
 * The call as commands for a POSIX shell, which print each page in a line. The credentials are variables of the environment.
 * The metadata of strangers can contain a `nextCursor` too, but not after the last bracket.
 */
export function curlSnippet(call: Call): string {
  const header = (name: string, variable: string) => `    -H "${name}: \${${variable}:?is not set}"`
  const page = [
    `  PAGE=$(curl -sS -G '${urlOf(call)}'`,
    '    --data-urlencode "cursor=$CURSOR"',
    ...(call.caller === 'server' ? [header('X-Api-Key', 'API_KEY')] : []),
    header('X-Player-Token', 'PLAYER_TOKEN'),
  ].join(' \\\n')
  return String.raw`CURSOR=
while :; do
${page}) || break
  printf '%s\n' "$PAGE"
  # A page can be short or empty: only a missing nextCursor means the end.
  CURSOR=$(printf '%s\n' "$PAGE" | sed -n 's/.*"nextCursor":"\([^"]*\)"[^]}]*}$/\1/p')
  [ "$CURSOR" ] || break
done`
}

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

async function playerNfts(playerToken: string): Promise<Nft[]> {
  const url = new URL('${urlOf(call)}')
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

/** A language in which Try it shows a call. */
export interface SnippetLanguage {
  readonly id: string
  readonly label: string
  /** The call as code to copy. It contains no credential. */
  readonly write: (call: Call) => string
}

/** The languages of Try it, in the order of its tabs. */
export const snippetLanguages: readonly SnippetLanguage[] = [
  { id: 'curl', label: 'curl', write: curlSnippet },
  { id: 'typescript', label: 'TypeScript', write: typescriptSnippet },
  { id: 'unity', label: 'Unity (C#)', write: unitySnippet },
  { id: 'unreal', label: 'Unreal (C++)', write: unrealSnippet },
  { id: 'godot', label: 'Godot (GDScript)', write: godotSnippet },
]
