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
    if (!isKey || !/^\s*:/.test(json.slice(at, at + 9))) continue
    const begin = json.indexOf('{', at)
    at = endOfObject(json, begin)
    texts.push(json.slice(begin, at))
  }
  return texts
}

function endOfObject(json: string, begin: number): number {
  let depth = 0
  for (let at = begin; at < json.length; ) {
    const character = json[at]
    if (character === '"') {
      at = endOfString(json, at)
      continue
    }
    if (character === '{') depth++
    if (character === '}') depth--
    at++
    if (depth === 0) return at
  }
  return json.length
}

function endOfString(json: string, begin: number): number {
  for (let at = json.indexOf('"', begin + 1); at !== -1; at = json.indexOf('"', at + 1)) {
    let backslashes = 0
    while (json[at - 1 - backslashes] === '\\') backslashes++
    if (backslashes % 2 === 0) return at + 1
  }
  return json.length
}
