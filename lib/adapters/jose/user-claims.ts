import { InvalidUserJwt } from '../../domain/credential-failures.ts'
import { unverified } from '../../json/unverified.ts'

/** The claims of a verified user JWT. */
export type Claims = Readonly<Record<string, unknown>>

/** The refusal of a claim: that it is missing, or else the rule that its value violates. */
export const refusedClaim = (claim: string, value: unknown, rule: string): InvalidUserJwt =>
  new InvalidUserJwt({ claim, rule: value === undefined ? 'is missing' : rule })

/**
 * The claim at a path: a dot leads into an object. A name that itself contains dots, such as
 * `https://studio.example/wallets`, needs no escape, because the longest name that an object has is read
 * first. `undefined` if there is no such claim (D40).
 */
export function claimAt(claims: unknown, path: string): unknown {
  if (typeof claims !== 'object' || claims === null) return undefined
  for (let end = path.length; end > 0; end = path.lastIndexOf('.', end - 1)) {
    const name = path.slice(0, end)
    if (!Object.hasOwn(claims, name)) continue
    const value = unverified(claims)[name]
    return end === path.length ? value : claimAt(value, path.slice(end + 1))
  }
  return undefined
}
