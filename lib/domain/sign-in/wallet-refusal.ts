/** Why a change of a user's wallets is refused. */
export type WalletRefusal =
  | 'wallet_of_another_user'
  | 'too_many_wallets'
  | 'last_wallet'
  | 'no_such_wallet'
  | 'proof_of_newer_wallet'
  | 'consent_of_other_wallet'
