/**
 * The cursor of the events of a product (D49): the last event that was read. It does not name a product, and works for
 * the product of its event only (D77).
 */
export const writeEventCursor = ({ eventId }: { eventId: string }): string =>
  Buffer.from(eventId).toString('base64url')

const uuidV7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/

/** Reads such a cursor; `undefined` if it is not one that {@link writeEventCursor} writes. */
export function readEventCursor(cursor: string): string | undefined {
  const eventId = Buffer.from(cursor, 'base64url').toString()
  // Decoding base64url ignores characters that do not belong to it.
  return uuidV7.test(eventId) && writeEventCursor({ eventId }) === cursor ? eventId : undefined
}
