import { errors } from 'jose'
import type { ClaimFault } from '../../domain/credential-failures.ts'

/** What jose finds wrong with a JWT: a fault with a name, or a claim that violates a rule. */
export type JwtFault =
  | 'algorithm'
  | 'critical'
  | 'expired'
  | 'malformed'
  | 'signature'
  | 'unknown_key'
  | ClaimFault

/** The fault that an error of jose means. */
export function jwtFault(error: errors.JOSEError): JwtFault {
  if (error instanceof errors.JWTExpired) return 'expired'
  if (error instanceof errors.JWTClaimValidationFailed) return claimFault(error)
  if (error instanceof errors.JOSEAlgNotAllowed) return 'algorithm'
  if (error instanceof errors.JOSENotSupported) return 'critical'
  if (error instanceof errors.JWKSNoMatchingKey) return 'unknown_key'
  if (error instanceof errors.JWSSignatureVerificationFailed) return 'signature'
  return 'malformed'
}

/** The rules of the claims that jose checks. */
const rules: Readonly<Record<string, string>> = {
  iss: 'is not the issuer that this service accepts',
  aud: 'does not contain the audience that this service accepts',
  nbf: 'is in the future: the user JWT is not valid yet',
}

function claimFault({ claim, reason }: errors.JWTClaimValidationFailed): ClaimFault {
  if (reason === 'missing') return { claim, rule: 'is missing' }
  if (reason === 'invalid') return { claim, rule: 'must be a number of seconds since 1970' }
  return { claim, rule: rules[claim] ?? 'is not accepted' }
}
