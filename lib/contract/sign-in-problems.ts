import type { LimitName } from '../domain/limit/limit.ts'

/**
 * What a caller sends who proves nothing: a message that a wallet has signed. No scheme of HTTP's registry is that (RFC 9110,
 * section 16.4.1), and `Bearer` would say that a session is not valid.
 */
const proof = 'Wallet'

/** The problems of signing in with wallets (D110), beside those that every operation can have. */
export const signInProblems = {
  message_too_large: { status: 400, title: 'The message or its signature is too large' },
  message_malformed: { status: 400, title: 'The message does not have the form of this service' },
  signature_malformed: { status: 400, title: 'The signature does not have the form of one' },
  invalid_client: { status: 400, title: 'The product does not sign players in' },
  invalid_grant: { status: 400, title: 'The refresh token is not valid' },
  unsupported_grant_type: { status: 400, title: 'The grant type is not supported' },
  authorization_pending: { status: 400, title: 'The user has not decided yet' },
  slow_down: { status: 400, title: 'The game has asked too early' },
  access_denied: { status: 400, title: 'The user has refused' },
  expired_token: { status: 400, title: 'The device code has expired' },
  client_authentication_failed: {
    status: 401,
    title: 'The client is not authenticated',
    challenge: 'Basic',
  },
  missing_session: { status: 401, title: 'The session is missing', challenge: 'Bearer' },
  invalid_session: {
    status: 401,
    title: 'The session is not valid',
    challenge: 'Bearer error="invalid_token"',
  },
  message_not_of_this_service: {
    status: 401,
    title: 'This service has not written the message',
    challenge: proof,
  },
  message_issued_in_the_future: {
    status: 401,
    title: 'The message is of the future',
    challenge: proof,
  },
  message_expired: { status: 401, title: 'The message has expired', challenge: proof },
  domain_not_permitted: {
    status: 401,
    title: 'Nobody signs in at the host of the message',
    challenge: proof,
  },
  chain_not_open: { status: 401, title: 'The chain of the message is not open', challenge: proof },
  message_for_another_purpose: {
    status: 401,
    title: 'The message is for something else',
    challenge: proof,
  },
  signature_not_of_address: {
    status: 401,
    title: 'The signature is not of the address',
    challenge: proof,
  },
  message_already_used: { status: 401, title: 'The message was used before', challenge: proof },
  consent_of_other_wallet: { status: 403, title: 'The consent is of no wallet that the user has' },
  proof_of_newer_wallet: { status: 403, title: 'The proof is of a wallet that was added later' },
  no_such_wallet: { status: 404, title: 'The user does not have the wallet' },
  unknown_user_code: { status: 404, title: 'No game asks with this code' },
  user_code_expired: { status: 409, title: 'The code has expired' },
  already_decided: { status: 409, title: 'Somebody has decided before' },
  wallet_of_another_user: { status: 409, title: 'Another user has the wallet' },
  too_many_wallets: { status: 409, title: 'The user has too many wallets' },
  last_wallet: { status: 409, title: 'The last wallet cannot be removed' },
} as const

export type SignInProblemCode = keyof typeof signInProblems

/** The status and title of one of these problems; `undefined` for any other. */
export const signInProblem = (
  code: string,
): { status: number; title: string; challenge?: string } | undefined =>
  Object.hasOwn(signInProblems, code) ? signInProblems[code as SignInProblemCode] : undefined

/** Everything that can be wrong with a proof (D97). */
export const proofProblems = [
  'message_too_large',
  'message_malformed',
  'signature_malformed',
  'message_not_of_this_service',
  'message_issued_in_the_future',
  'message_expired',
  'domain_not_permitted',
  'chain_not_open',
  'message_for_another_purpose',
  'signature_not_of_address',
  'message_already_used',
] as const satisfies readonly SignInProblemCode[]

/** The limits of proofs (D107). */
export const limitsOfProofs = [
  'sign_ins_by_address',
  'new_wallets_by_address',
  'refused_sign_ins_by_address',
  'sign_ins',
  'new_wallets',
] as const satisfies readonly LimitName[]
