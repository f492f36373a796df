/** Characters without a width, and all that change the direction of the text around them. */
const unseen = /\p{Default_Ignorable_Code_Point}/v

/**
 * The first character of a text that nobody sees, or that changes the order of what is seen, such as `U+202E` (D133). Emoji
 * sequences are permitted, and U+200C and U+200D where RFC 5892, appendices A.1 and A.2, permits them.
 */
export function unseenCharacterIn(text: string): string | undefined {
  const [found] = (unseen.test(text) && unseen.exec(withoutPermitted(text))) || []
  return found && `U+${found.codePointAt(0)?.toString(16).toUpperCase().padStart(4, '0')}`
}

/**
 * The emoji of https://unicode.org/reports/tr51/#def_rgi_set, whose sequences have characters that are not seen by themselves, and
 * emoji that are joined without U+FE0F, as some keyboards write them.
 */
const emoji = String.raw`\p{RGI_Emoji}|\p{Extended_Pictographic}\p{Emoji_Modifier}?\ufe0f?(?:\u200d\p{Extended_Pictographic}\p{Emoji_Modifier}?\ufe0f?)+`

/** Letters with U+200C or U+200D between them, which change how letters are joined. */
const joinedWord = String.raw`[\p{L}\p{M}\p{Nd}\u200c\u200d]*[\u200c\u200d][\p{L}\p{M}\p{Nd}\u200c\u200d]*`

/** The permitted sequences in a text, as other characters. */
const withoutPermitted = (text: string): string =>
  text
    // Texts, not literals: V8 makes the tables of a literal, in 30 ms, when it parses the file.
    .replaceAll(new RegExp(emoji, 'gv'), ' ')
    // A host name follows these rules of the RFC: https://url.spec.whatwg.org/#concept-domain-to-ascii
    .replaceAll(new RegExp(joinedWord, 'gv'), (word) =>
      URL.canParse(`http://${word}`) ? word.replaceAll(/[\u200c\u200d]/gv, '') : word,
    )

/** What is wrong with a name that has such a character. */
export const unseenFault = (character: string | undefined): string =>
  `must not contain the character ${character}, which is invisible`
