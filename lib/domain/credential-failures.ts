import { Failure } from './failures.ts'

/**
 * A credential is missing or not accepted. The message does not tell an unknown key from an ended one; the log line
 * does (D80).
 */
export abstract class RefusedCredential extends Failure {
  /** The name of the fault, for the log. It contains no part of the credential. */
  abstract readonly reason: string
}

/** Why there is no product without an API key: there is no key, or a game may not use the product in its place (D51). */
type MissingKeyFault =
  | 'no_key'
  | 'no_client_access'
  | 'product_deleted'
  | 'product_stopped'
  | 'unknown_product'

/** The request has no API key, or names a product without client access in its place (D3, D51). */
export class MissingApiKey extends RefusedCredential {
  readonly code = 'missing_api_key'
  readonly reason: MissingKeyFault
  constructor(reason: MissingKeyFault) {
    super('Send the product API key in the header X-Api-Key.')
    this.reason = reason
  }
}

type ApiKeyFault = 'key_ended' | 'malformed' | 'product_deleted' | 'unknown_key'

/** No product has this API key, or the key or its product has ended (D9, D46). */
export class InvalidApiKey extends RefusedCredential {
  readonly code = 'invalid_api_key'
  readonly reason: ApiKeyFault
  constructor(reason: ApiKeyFault) {
    super('The API key in the header X-Api-Key is not known.')
    this.reason = reason
  }
}

/** A claim that violates a rule. The rule continues a sentence that begins with the name of the claim. */
export interface ClaimFault {
  claim: string
  rule: string
}

const claimFaults: ReadonlyMap<string, string> = new Map([
  ['aud', 'audience'],
  ['iss', 'issuer'],
  ['typ', 'type'],
])

const nameOf = (fault: string | ClaimFault): string =>
  typeof fault === 'string'
    ? fault
    : (claimFaults.get(fault.claim) ?? `claim ${fault.claim}: ${fault.rule}`)

const userJwtFaults = {
  algorithm: 'The user JWT is signed with an algorithm that this service does not accept.',
  critical:
    'The user JWT has a critical header parameter (crit) that this service does not support.',
  expired: 'The user JWT has expired.',
  forgotten:
    'The player was forgotten after the user JWT was issued; sign the user in again for a new one.',
  malformed: 'The user JWT is malformed: it must be a signed JWT in its compact form.',
  player_token: 'This is a player token, not a user JWT.',
  signature: 'The signature of the user JWT is not valid: no accepted key verifies it.',
  unknown_key: 'The key set of the login has no usable key with the kid of the user JWT.',
}

/** A user JWT is not accepted: for one of these reasons, or because a claim violates a rule, which has no value (D21). */
export class InvalidUserJwt extends RefusedCredential {
  readonly code = 'invalid_user_token'
  readonly reason: string
  constructor(fault: keyof typeof userJwtFaults | ClaimFault) {
    super(
      typeof fault === 'string'
        ? userJwtFaults[fault]
        : `The claim ${fault.claim} of the user JWT ${fault.rule}.`,
    )
    this.reason = nameOf(fault)
  }
}

const playerTokenFaults = {
  foreign: 'The player token is not one of this service.',
  no_game:
    'The player token is not for one game, as this service requires; create a player token for this product with the parameter productId of GET /api/public/v1/player/token.',
  other_game: 'The player token is for the game of another product.',
  other_jwt:
    'This is a user JWT or another JWT, not a player token; create a player token with GET /api/public/v1/player/token.',
  unknown_player: 'The player of this token is not known here; ask for a new token.',
}

/** A player token is not accepted (D23, D52). `cause` is what makes it foreign, if that is known. */
export class InvalidPlayerToken extends RefusedCredential {
  readonly code = 'invalid_player_token'
  readonly reason: string
  constructor(fault: keyof typeof playerTokenFaults, cause: string | ClaimFault = fault) {
    super(playerTokenFaults[fault])
    this.reason = nameOf(cause)
  }
}

/** A player token is older than 24 hours (D23). */
export class PlayerTokenExpired extends RefusedCredential {
  readonly code = 'player_token_expired'
  readonly reason = 'expired'
  override readonly message = 'The player token has expired; ask for a new one.'
}
