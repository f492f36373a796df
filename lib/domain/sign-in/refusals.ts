/** Why a change of a user's wallets is refused. */
export type WalletRefusal =
  | 'wallet_of_another_user'
  | 'too_many_wallets'
  | 'last_wallet'
  | 'no_such_wallet'
  | 'proof_of_newer_wallet'
  | 'consent_of_other_wallet'

/** Why a poll gets no token (RFC 8628, section 3.5, and RFC 6749, section 5.2). */
export type PollError =
  | 'authorization_pending'
  | 'slow_down'
  | 'access_denied'
  | 'expired_token'
  | 'invalid_grant'

/** Why a game gets no token: an error of OAuth (RFC 6749, section 5.2; RFC 8628, section 3.5). */
export type TokenError = PollError | 'invalid_client'
