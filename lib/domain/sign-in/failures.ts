import { RefusedCredential } from '../credential-failures.ts'
import { Failure, Unavailable } from '../failures.ts'

const proofFaults = {
  message_too_large:
    'The message has more than 4,096 characters, or the signature has more than 16,384.',
  message_malformed:
    'The message is not one of this service. Ask for one with POST /api/public/v1/login/message, and send it unchanged.',
  message_not_of_this_service:
    'This service has not written the message. Ask for one with POST /api/public/v1/login/message, and send it unchanged.',
  message_issued_in_the_future: 'The message is of the future.',
  message_expired: 'The message has expired; ask for a new one.',
  domain_not_permitted: 'Players do not sign in at the host of the message.',
  chain_not_open: 'The chain of the message is not open in this service.',
  message_for_another_purpose: 'The message was written for something else; ask for one for this.',
  signature_malformed:
    'The signature must be 0x and the hexadecimal digits of 1 to 8,191 whole bytes.',
  signature_not_of_address:
    'The signature is not of the key of this address, and no smart account accepts it.',
  no_account_on_chain:
    'The signature is not of the key of this address, and there is no smart account at it on the chain of the message.',
  message_already_used: 'The message was used before; ask for a new one.',
}

/** The same where smart accounts do not sign in. */
const keyFaults: Partial<typeof proofFaults> = {
  signature_malformed: 'The signature must be 0x and 130 or 128 hexadecimal digits.',
  signature_not_of_address:
    'The signature is not of the key of this address. Smart accounts cannot sign in.',
}

/** Why a proof is refused. The first reason that applies, in this order. */
export type ProofFault = keyof typeof proofFaults

/** A smart account cannot be asked whether it accepts a signature, so nobody knows. */
export class ChainUnavailable extends Unavailable {
  readonly code = 'chain_unavailable'
  /** Whether no caller can cause it. */
  readonly isOfNode: boolean
  constructor(reason: string, isOfNode = false, retryAfterSeconds = 5) {
    super(
      'The chain of the message does not answer as it should at the moment; try again shortly.',
      reason,
      retryAfterSeconds,
    )
    this.isOfNode = isOfNode
  }
}

const walletRefusals = {
  wallet_of_another_user:
    'Another user has this wallet. Ask for a message with "move": true, to take it from there.',
  too_many_wallets: 'A user can have 20 wallets; remove one first.',
  last_wallet: 'This is the last wallet of the user, which cannot be removed.',
  no_such_wallet: 'The user does not have this wallet.',
  consent_of_other_wallet:
    'The consent must be signed by another wallet, which the user has already. A user who has lost all wallets can add none.',
  proof_of_newer_wallet: 'Sign with the wallet itself, or with one that was added before it.',
}

/** Why a change of a user's wallets is refused. */
export type WalletRefusal = keyof typeof walletRefusals

/** Why the second proof of a request is refused (D144). */
export interface ConsentFault {
  ofConsent: ProofFault
}

/** A proof of a wallet (D97), or the change of the wallets of a user that it is for (D98, D104, D109, D144), is refused. */
export class RefusedProof extends Failure {
  readonly code: ProofFault | WalletRefusal
  constructor(
    refusal: ProofFault | WalletRefusal | ConsentFault,
    { accounts }: { accounts?: object | undefined },
  ) {
    const code = typeof refusal === 'object' ? refusal.ofConsent : refusal
    const sentences = { ...proofFaults, ...(!accounts && keyFaults), ...walletRefusals }
    super(`${typeof refusal === 'object' ? 'In consent: ' : ''}${sentences[code]}`)
    this.code = code
  }
}

/** A product does not sign players in, or is not known (D106). */
export class InvalidClient extends Failure {
  readonly code = 'invalid_client'
  override readonly message = 'No product with this id signs players in here.'
}

const clientFaults = {
  client_password: 'Games have no secret: leave the password in the header Authorization empty.',
  another_client: 'The header Authorization and the form name two products: send one of them.',
}

/** The header Authorization names a product as no game can (RFC 6749, section 5.2; D141). */
export class RefusedClient extends RefusedCredential {
  readonly code = 'client_authentication_failed'
  readonly reason: keyof typeof clientFaults
  constructor(reason: keyof typeof clientFaults) {
    super(clientFaults[reason])
    this.reason = reason
  }
}

const grantFaults = {
  authorization_pending: 'The user has not decided yet; ask again after the interval.',
  slow_down: 'Ask no more often than the interval says.',
  access_denied: 'The user has refused.',
  expired_token: 'The device code has expired; ask for another one.',
  invalid_grant: 'The refresh token or device code is not valid; let the player sign in again.',
}

/** Why a poll gets no token (RFC 8628, section 3.5, and RFC 6749, section 5.2). */
export type PollError = keyof typeof grantFaults

/** Why a game gets no token: an error of OAuth (RFC 6749, section 5.2; RFC 8628, section 3.5). */
export type TokenError = PollError | 'invalid_client'

/** A game gets no token for its refresh token or device code (D99, D101). */
export class RefusedGrant extends Failure {
  readonly code: PollError
  constructor(code: PollError) {
    super(grantFaults[code])
    this.code = code
  }
}

/** A game asks for a token in a way that there is not. */
export class UnsupportedGrantType extends Failure {
  readonly code = 'unsupported_grant_type'
  override readonly message =
    'The grant_type must be refresh_token or urn:ietf:params:oauth:grant-type:device_code.'
}

export const tokenFailure = (error: TokenError): Failure =>
  error === 'invalid_client' ? new InvalidClient() : new RefusedGrant(error)

/** No game asks with a user code (D108). */
export class UnknownUserCode extends Failure {
  readonly code = 'unknown_user_code'
  override readonly message = 'No game asks with this code; check it, or start again in the game.'
}

/** A game that asks can not be decided about any more (D108). */
export class DecidedBefore extends Failure {
  readonly code: 'already_decided' | 'user_code_expired'
  constructor(state: string) {
    const isExpired = state === 'expired'
    super(
      isExpired
        ? 'The code has expired; start again in the game.'
        : `The game was ${state} before.`,
    )
    this.code = isExpired ? 'user_code_expired' : 'already_decided'
  }
}

/** The request has no session (D100). */
export class MissingSession extends RefusedCredential {
  readonly code = 'missing_session'
  readonly reason = 'no_session'
  override readonly message =
    'Sign in, and send the session in the header Authorization, as Bearer <SESSION>.'
}

/** A session is not one of this service, or has ended (D100, D102). */
export class InvalidSession extends RefusedCredential {
  readonly code = 'invalid_session'
  readonly reason = 'no_such_session'
  override readonly message = 'The session has ended; sign in again.'
}
