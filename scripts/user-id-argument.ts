import { parseUserId } from '../lib/domain/player/player.ts'

/** Reads the argument `--user-id`. Throws an Error with a message of one line: `usage` if there is no argument. */
export function userIdArgument(argument: string | undefined, usage: string): number {
  const text = argument?.trim()
  if (!text) throw new Error(usage)
  const userId = parseUserId(text)
  if (userId === undefined) throw new Error('--user-id must be a whole number from 0 to 2^53-1.')
  return userId
}
