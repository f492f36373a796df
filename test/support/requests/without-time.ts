/** The text of a response without its `asOf`, which differs between two responses that are otherwise the same (D156). */
export const withoutTime = (text: string): string => text.replace(/,"asOf":"[^"]+"}$/, '}')
