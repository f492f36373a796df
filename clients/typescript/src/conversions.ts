import type { PlayerDetails, RawNft, RefreshReport } from './types.ts'

/** What the client changes in the data of an answer, by the name of its schema, or of the schema of its entries. */
export const conversions = {
  RawNft: (nfts: readonly Partial<RawNft>[], text: string) =>
    nfts[0]?.rawMetadataText === undefined ? addMetadataTexts(nfts, text) : nfts.map(addMetadata),
  RefreshReport: (report: RefreshReport, text: string): RefreshReport => ({
    ...report,
    tokens: addMetadataTexts(report.tokens, text),
  }),
  /** `amount` is a number of the response, and has lost digits once it is parsed. `amountText` has them all. */
  PlayerDetails({ amount: _, ...rest }: PlayerDetails & { amount: number }): PlayerDetails {
    return rest
  },
}

/** Adds its source text to the raw metadata of each NFT. They are all NFTs of the response, in their order. */
function addMetadataTexts<T extends object>(nfts: readonly T[], json: string) {
  const texts = rawMetadataTexts(json)
  return nfts.map((nft, index) => ({ ...nft, rawMetadataText: texts[index] ?? '{}' }))
}

/** Adds raw metadata that came as text. It is parsed when it is read, so that a text that is never read costs nothing. */
const addMetadata = (nft: Partial<RawNft>) => ({
  ...nft,
  get rawMetadata() {
    return JSON.parse(nft.rawMetadataText ?? '{}')
  },
})

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
