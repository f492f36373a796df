import { errors } from 'jose'
import * as v from 'valibot'
import { parseAddress } from '../../domain/address.ts'
import { Failure, InvalidUserJwt } from '../../domain/failures.ts'
import { jwtKind } from '../../domain/jwt-kind.ts'
import type { UserJwts } from '../../domain/ports.ts'
import { codePointLength } from '../../domain/text.ts'
import { tokenSettings, userJwtKeySettings } from '../../settings/environment.ts'
import type { VerificationKeys } from '../verification-keys.ts'
import { verifyJwt } from './verify-jwt.ts'

/** The accepted clock difference, in seconds (D21). */
const leewaySeconds = 30

const claims = v.pipe(
  v.object({
    sub: v.pipe(
      v.string(),
      v.regex(/^(0|[1-9][0-9]{0,15})$/),
      v.transform(Number),
      v.safeInteger(),
    ),
    username: v.pipe(
      v.string(),
      v.check((name) => name.isWellFormed()),
      v.check((name) => codePointLength(name) >= 1 && codePointLength(name) <= 100),
    ),
    wallets: v.pipe(
      v.array(
        v.pipe(
          v.string(),
          v.rawTransform(({ dataset, addIssue, NEVER }) => {
            const { address } = parseAddress(dataset.value)
            if (address) return address
            addIssue()
            return NEVER
          }),
        ),
      ),
      v.maxLength(20),
    ),
    iat: v.pipe(
      v.number(),
      v.minValue(0),
      v.check((iat) => iat <= Date.now() / 1000 + leewaySeconds),
    ),
  }),
  v.transform(({ sub, username, wallets, iat }) => ({
    userId: sub,
    username,
    wallets: [...new Set(wallets)],
    issuedAt: Math.floor(iat),
  })),
)

/** Verifies user JWTs with jose (D21). */
export function joseUserJwts(keys: VerificationKeys): UserJwts {
  const { issuer, userJwtAudience } = tokenSettings()
  const { algorithm } = userJwtKeySettings()
  const options = {
    algorithms: [algorithm],
    issuer,
    audience: userJwtAudience,
    clockTolerance: leewaySeconds,
    requiredClaims: ['sub', 'iat', 'exp'],
  }

  return {
    async verify(userJwt) {
      try {
        const { payload, protectedHeader } = await verifyJwt(userJwt, keys, options)
        if (/^(application\/)?player\+jwt$/i.test(protectedHeader.typ ?? '')) {
          throw new InvalidUserJwt('player_token')
        }
        return v.parse(claims, payload)
      } catch (error) {
        throw failureOf(error, userJwt)
      }
    },
  }
}

function failureOf(error: unknown, userJwt: string): unknown {
  if (error instanceof Failure) return error
  // The signature of a player token fails first, because another key signs it.
  if (error instanceof errors.JOSEError && jwtKind(userJwt) === 'player_token') {
    return new InvalidUserJwt('player_token')
  }
  if (error instanceof errors.JWTExpired) return new InvalidUserJwt('expired')
  if (error instanceof errors.JWTClaimValidationFailed)
    return new InvalidUserJwt({ claim: error.claim })
  if (error instanceof v.ValiError) {
    return new InvalidUserJwt({ claim: String(error.issues[0].path?.[0].key ?? 'claims') })
  }
  if (error instanceof errors.JOSEError) {
    return new InvalidUserJwt('malformed')
  }
  return error
}
