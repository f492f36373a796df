import { strikeOut } from '../../observability/log.ts'

/** The characters of a message that the log has. */
const maxShownLength = 200

/**
 * A message of a node for the log, in one line: without the key and whatever else can be a credential or a wallet, without
 * numbers, so that the same fault has the same message, and shortened.
 */
export function shownMessage(message: string, url: string): string {
  // The URL ends with the key.
  const key = url.slice(url.lastIndexOf('/') + 1)
  const keys = [key, decodeURIComponent(key)].filter((text) => text !== '')
  const struck = keys.reduce((text, secret) => text.replaceAll(secret, '[key]'), message)
  return strikeOut(struck)
    .replace(/[^\x20-\x7e]+/g, ' ')
    .replace(/0x[0-9a-f]+|\d+/gi, '#')
    .slice(0, maxShownLength)
}
