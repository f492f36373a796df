import type { Answer } from './answer.ts'

/** The source text of raw metadata. */
export interface WithMetadataText {
  /** The text of `rawMetadata`, byte for byte: `rawMetadata` itself rounds numbers above 2^53. */
  rawMetadataText: string
}

/** Adds its source text to the raw metadata of each NFT, which are all of the answer's, in their order. */
export function addMetadataTexts<T extends object>(nfts: readonly T[], { text }: Answer<unknown>) {
  const texts = rawMetadataTexts(text)
  return nfts.map((nft, index): T & WithMetadataText => ({
    ...nft,
    rawMetadataText: texts[index] ?? '{}',
  }))
}

/** Returns the text of each value of `rawMetadata` in a JSON text, without those inside another. */
function rawMetadataTexts(json: string): string[] {
  const texts: string[] = []
  const key = '"rawMetadata"'
  for (let at = json.indexOf('"'); at !== -1; at = json.indexOf('"', at)) {
    const isKey = json.startsWith(key, at)
    at = endOfString(json, at)
    const colon = isKey ? /^\s*:\s*/.exec(json.slice(at, at + 99)) : null
    if (colon === null) continue
    const begin = at + colon[0].length
    at = endOfValue(json, begin)
    texts.push(json.slice(begin, at))
  }
  return texts
}

function endOfValue(json: string, begin: number): number {
  let depth = 0
  let at = begin
  do {
    const character = json.charAt(at)
    if (character === '"') {
      at = endOfString(json, at)
    } else {
      if (character === '{' || character === '[') depth++
      if (character === '}' || character === ']') depth--
      at++
    }
  } while (at < json.length && (depth > 0 || !/[\s,}\]]/.test(json.charAt(at))))
  return at
}

function endOfString(json: string, begin: number): number {
  for (let at = json.indexOf('"', begin + 1); at !== -1; at = json.indexOf('"', at + 1)) {
    let backslashes = 0
    while (json[at - 1 - backslashes] === '\\') backslashes++
    if (backslashes % 2 === 0) return at + 1
  }
  return json.length
}
