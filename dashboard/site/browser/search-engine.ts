import MiniSearch from 'minisearch'

/** A section of a page, as the built index lists it. */
export interface SearchedSection {
  page: string
  heading: string
  /** Where it is: the name of the page's file, with the anchor. */
  to: string
  text: string
}

/** Words that say nothing of a subject. */
const emptyWords = new Set(
  `a an and are as at be by can did do does for from get gets has have how i if in is it me my
  no of on or our that the there they this to up was we what when where which why with you your`.split(
    /\s+/,
  ),
)

/** Returns a function that finds sections by words, the best first. Words may have a slip, and the last one may be only begun. */
export function searchIn(
  sections: readonly SearchedSection[],
): (query: string) => SearchedSection[] {
  const engine = new MiniSearch<SearchedSection & { id: number }>({
    fields: ['heading', 'page', 'text'],
    tokenize: wordsOf,
    processTerm,
    searchOptions: {
      boost: { heading: 4, page: 2 },
      prefix: (_word, index, words) => index === words.length - 1,
      fuzzy: (word) => (word.length > 4 ? 0.2 : false),
    },
  })
  engine.addAll(sections.map((section, id) => ({ ...section, id })))
  return (query) => {
    const found = engine.search(query)
    return found.flatMap(({ id }) => sections[id] ?? [])
  }
}

/** The words of a text that are searched, without their endings. */
export const termsOf = (text: string): string[] =>
  wordsOf(text).flatMap((word) => processTerm(word) ?? [])

/** The words of a text: `1,000` is one, and `rate_limited` two. */
const wordsOf = (text: string): string[] =>
  text.replaceAll(/(\d),(?=\d{3})/g, '$1').match(/[\p{L}\p{N}]+/gu) ?? []

function processTerm(word: string): string | undefined {
  const lower = word.toLowerCase()
  if (emptyWords.has(lower)) return undefined
  if (lower.length < 4) return lower
  // The other forms of a word are the same: "chains" and "chain", "forgetting" and "forget", "rotated" and "rotate".
  return lower.replace(/(?<=...)(?:ing|ed|es|s|e)$/, '').replace(/([^aeiou])\1$/, '$1')
}
