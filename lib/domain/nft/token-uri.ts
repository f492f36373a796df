/** A longer URI is a `data:` URI, which contains the document. */
const maxLength = 2_048

/**
 * A URI with the token identifier in place of each `{id}`, also as `%7Bid%7D`: 64 hexadecimal digits in lower case
 * (ERC-1155, "Metadata"; D134). A URI over 2,048 characters is unchanged.
 */
export const withTokenId = (uri: string, tokenId: string): string =>
  uri.length > maxLength
    ? uri
    : uri.replace(/(?:\{|%7[Bb])id(?:\}|%7[Dd])/g, () =>
        BigInt(tokenId).toString(16).padStart(64, '0'),
      )
