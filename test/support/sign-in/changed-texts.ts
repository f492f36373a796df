import fc from 'fast-check'

const added = fc.oneof(
  fc.string({ maxLength: 4 }),
  fc.constantFrom('\n', '\r', ' ', '0', 'a', '\u0430', '\u200b', '\nURI: https://evil.example'),
)

/** Texts that differ from a text in one place. */
export const changedTexts = (text: string): fc.Arbitrary<string> =>
  fc
    .record({ at: fc.nat(text.length), removed: fc.nat(3), added })
    .map(
      (change) => text.slice(0, change.at) + change.added + text.slice(change.at + change.removed),
    )
    .filter((changed) => changed !== text)
