import { createHash } from 'node:crypto'

/** 48 bits that distinguish the contents that an item has had. */
export const digestOf = (content: string): string =>
  createHash('sha256').update(content).digest('base64url').slice(0, 8)
