/** The maximum size of the NFTs in one response, in bytes of {@link responseBytes} (D25, D31). */
export const maxResponseBytes = 5_000_000

/**
 * The size of JSON text in a Lambda response. Lambda returns the body as a JSON string, so its quotes
 * and backslashes count twice.
 */
export const responseBytes = (json: string): number => Buffer.byteLength(JSON.stringify(json))
