// `npm run generate` writes this file from openapi/problems, which says more about each problem.

/** What has happened, and what to do about it. */
export const problemSentences: Readonly<Record<string, readonly [title: string, advice: string]>> = {
  signature_malformed: ['This wallet signs in a way that does not work here.', 'Sign in with another wallet.'],
  message_expired: ['You took a little too long to sign.', 'Try again, and sign within 5 minutes.'],
  signature_not_of_address: ['This signature does not belong to this wallet.', 'Choose the wallet again, and sign with it. If it is a smart account, look whether it is on the chain of the message.'],
  no_account_on_chain: ['This wallet is not on this chain.', 'Switch your wallet to a chain that you have used it on, and try again.'],
  consent_of_other_wallet: ['You no longer have the wallet that has signed second.', 'Load this page again, and sign with a wallet that it lists.'],
  proof_of_newer_wallet: ['You signed with a wallet that you added later.', 'Sign with the wallet itself, or with one that you added before it.'],
  no_such_wallet: ['You no longer have this wallet.', 'Load this page again.'],
  unknown_user_code: ['No game asks with this code.', 'Compare it with the code that your game shows. A code is valid for 10 minutes.'],
  user_code_expired: ['This code has expired.', 'Let your game show a new one.'],
  already_decided: ['Somebody has said yes or no to this code already.', 'Let your game show a new one.'],
  too_many_wallets: ['You have 20 wallets.', 'That is as many as you can have.'],
  last_wallet: ['This is your only wallet.', 'Add another one first.'],
  rate_limited: ['You have tried this too often.', 'Wait a few minutes and try again.'],
  chain_unavailable: ['The chain of your wallet does not answer at the moment.', 'Try again in a minute.'],
}
