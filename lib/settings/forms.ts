import { createPublicKey } from 'node:crypto'
import * as v from 'valibot'
import { parseAddress } from '../domain/address.ts'
import { chainNames, isRetired } from '../domain/chain.ts'

// The forms that settings have, wherever they are written down: the environment of a function, of
// the local stack, the settings of a deployment.

/** An http(s) URL. */
export const httpUrl = v.pipe(
  v.string(),
  v.url('must be a URL'),
  v.regex(/^https?:/, 'must be an http(s) URL'),
)

/** As far ahead as SQS can deliver, in seconds, and never before what the message is about has happened. */
export const delaySeconds = v.pipe(
  v.number('must be a whole number from 1 to 900'),
  v.integer('must be a whole number from 1 to 900'),
  v.minValue(1, 'must be a whole number from 1 to 900'),
  v.maxValue(900, 'must be a whole number from 1 to 900'),
)

/** A chain that may be opened for allowlisting (D11). */
export const allowlistChain = v.picklist(chainNames, `must be one of ${chainNames.join(', ')}`)

/** The algorithms a login that lives elsewhere may sign with. */
export const userJwtAlgorithms = ['ES256', 'ES384', 'RS256', 'PS256', 'EdDSA'] as const

export const userJwtAlgorithm = v.picklist(
  userJwtAlgorithms,
  `must be one of ${userJwtAlgorithms.join(', ')}`,
)

/** The kind of key, or its curve, that each algorithm takes (RFC 7518 section 3.1, RFC 8037). */
const keyKinds: Record<(typeof userJwtAlgorithms)[number], string> = {
  ES256: 'prime256v1',
  ES384: 'secp384r1',
  RS256: 'rsa',
  PS256: 'rsa',
  EdDSA: 'ed25519',
}

/** Whether a text is a public key for an algorithm, as base64 of DER SubjectPublicKeyInfo. */
export function isPublicKeyFor(algorithm: keyof typeof keyKinds, base64: string): boolean {
  try {
    const der = Buffer.from(base64, 'base64')
    const key = createPublicKey({ key: der, format: 'der', type: 'spki' })
    const kind = key.asymmetricKeyDetails?.namedCurve ?? key.asymmetricKeyType
    return kind === keyKinds[algorithm]
  } catch {
    return false
  }
}

const serviceTokenForm =
  'must be <CHAIN>:<address>:<decimals>, with a chain that is not shut down and 0 to 77 decimals'

/** An ERC-20 token: `<CHAIN>:<address>:<decimals>` (D29). */
export const serviceToken = v.pipe(
  v.string(),
  v.transform((setting) => setting.split(':')),
  v.strictTuple(
    [
      v.pipe(
        v.picklist(chainNames, serviceTokenForm),
        v.check((chain) => !isRetired(chain), serviceTokenForm),
      ),
      v.pipe(
        v.string(serviceTokenForm),
        v.rawTransform(({ dataset, addIssue, NEVER }) => {
          const { address } = parseAddress(dataset.value)
          if (address) return address
          addIssue({ message: serviceTokenForm })
          return NEVER
        }),
      ),
      v.pipe(v.string(serviceTokenForm), v.regex(/^([0-9]|[1-6][0-9]|7[0-7])$/, serviceTokenForm)),
    ],
    serviceTokenForm,
  ),
)
