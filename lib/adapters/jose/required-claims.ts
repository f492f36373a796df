import type { ClaimValue, ClaimValues } from '../../settings/claim-values.ts'
import { type Claims, claimAt, refusedClaim } from './user-claims.ts'

/**
 * Checks that each of these claims has its value, or one of its values: it is equal to it, or, where the value is text, has it
 * as an element of a list, or as a word of a text with spaces, such as a scope. Throws InvalidUserJwt (D92).
 */
export function checkRequiredClaims(claims: Claims, required: ClaimValues): void {
  for (const [path, values] of Object.entries(required)) {
    const claim = claimAt(claims, path)
    if (![values].flat().some((value) => hasValue(claim, value))) {
      throw refusedClaim(
        path,
        claim,
        'does not have a value that the settings of the login require',
      )
    }
  }
}

function hasValue(claim: unknown, value: ClaimValue): boolean {
  if (claim === value) return true
  if (typeof value !== 'string') return false
  const parts: readonly unknown[] =
    typeof claim === 'string' ? claim.split(' ') : Array.isArray(claim) ? claim : []
  return parts.includes(value)
}
