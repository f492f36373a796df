import { codePointLength } from '../../domain/text.ts'
import { type Claims, claimAt, refusedClaim } from './user-claims.ts'

const maxCharacters = 100

const rule = `must be text of 1 to ${maxCharacters} characters`

/**
 * The username: the first of these claims that has a usable text. The claims `username` and `sub` are text (D21), and others
 * may be an integer number (D40). A text that is too long is cut after a whole character, but in `username` it is not usable
 * (D92). Throws InvalidUserJwt if there is none.
 */
export function usernameIn(claims: Claims, paths: readonly [string, ...string[]]): string {
  for (const path of paths) {
    const name = usableName(claimAt(claims, path), path)
    if (name !== undefined) return name
  }
  const [present] = paths.filter((path) => claimAt(claims, path) !== undefined)
  const mustBe = paths.every(isText) ? rule : `${rule}, or an integer number`
  throw refusedClaim(paths.join(' or '), present, mustBe)
}

/** Whether a claim is one of D21, which is text. */
const isText = (path: string) => path === 'username' || path === 'sub'

function usableName(value: unknown, path: string): string | undefined {
  const isNumber = Number.isSafeInteger(value) && Number(value) >= 0 && !isText(path)
  const name = isNumber ? `${value}` : value
  if (typeof name !== 'string' || name === '' || !name.isWellFormed()) return undefined
  // No character has more than two code units, so that this has the first ones.
  const start = name.slice(0, 2 * maxCharacters)
  if (start === name && codePointLength(name) <= maxCharacters) return name
  return path === 'username' ? undefined : Array.from(start).slice(0, maxCharacters).join('')
}
