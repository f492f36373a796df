// `npm run generate` writes this file from openapi/problems, which says more about each problem.

/** What has happened, and what to do about it. */
export const problemSentences: Readonly<Record<string, readonly [title: string, advice: string]>> = {
  invalid_request: ['Some of the values cannot be accepted.', 'Correct them and try again.'],
  cursor_expired: ['The list has changed in the meantime.', 'Load it again.'],
  invalid_player_token: ['The player token is not accepted.', 'Get a new one from the login of your players.'],
  player_token_expired: ['The player token has expired.', 'Get a new one from the login of your players.'],
  product_stopped: ['The operator of the service has stopped this game.', 'Ask the operator for the reason.'],
  insufficient_scope: ['This API key can only read the NFTs of players.', 'Sign in with a key that has the scope Manage.'],
  contract_not_connected: ['This contract is no longer on the allowlist of your game.', 'Somebody may have removed it. Load the page again.'],
  key_not_found: ['This key no longer works.', 'Somebody may have revoked it. Load the page again.'],
  webhook_not_found: ['This webhook does not exist any more.', 'Somebody may have deleted it. Load the page again.'],
  key_ended: ['This key no longer works.', 'Somebody may have revoked it. Load the page again.'],
  last_key: ['A game needs at least one key that can manage it and does not expire.', 'Create another key with the scope Manage first.'],
  too_many_keys: ['Your game has the maximum number of keys.', 'Revoke a key that nobody uses, and try again.'],
  too_many_ranges: ['The allowlist would have too many ranges.', 'Use fewer and longer ranges.'],
  too_many_nfts: ['The ranges cover too many NFTs for one request.', 'Remove smaller ranges, or the whole contract.'],
  too_many_webhook_contracts: ['Your game has too many contracts for events.', 'Ask the operator of the service for more.'],
  too_many_webhooks: ['Your game has the maximum number of webhooks.', 'Delete a webhook that nobody needs, and try again.'],
  webhook_not_verified: ['The server of this webhook has not answered a test yet.', 'Test the webhook first.'],
  payload_too_large: ['The request is too large.', 'Send a shorter list.'],
  internal_error: ['The service has made a mistake.', 'Try again. If it happens again, send the number of the request to the operator of the service.'],
  indexer_unavailable: ['The service cannot read the blockchain at the moment.', 'Its source of NFT data does not answer. Try again in a minute.'],
}
