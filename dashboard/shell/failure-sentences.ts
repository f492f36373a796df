/** What has happened, and what the user can do about it. */
export interface FailureSentences {
  title: string
  advice: string
}

const sentence = (title: string, advice: string): FailureSentences => ({ title, advice })

const noLonger = sentence(
  'This key no longer works.',
  'Somebody may have revoked it. Load the page again.',
)

const tooLarge = sentence('The request is too large.', 'Send a shorter list.')

/** The problems of the API that the dashboard can meet, by their codes (D3). */
const byCode: Readonly<Record<string, FailureSentences>> = {
  invalid_request: sentence(
    'Some of the values cannot be accepted.',
    'Correct them and try again.',
  ),
  cursor_expired: sentence('The list has changed in the meantime.', 'Load it again.'),
  invalid_player_token: sentence(
    'The player token is not accepted.',
    'Get a new one from the login of your players.',
  ),
  player_token_expired: sentence(
    'The player token has expired.',
    'Get a new one from the login of your players.',
  ),
  insufficient_scope: sentence(
    'This API key can only read the NFTs of players.',
    'Sign in with a key that has the scope Manage.',
  ),
  product_stopped: sentence(
    'The operator of the service has stopped this game.',
    'Ask the operator for the reason.',
  ),
  contract_not_connected: sentence(
    'This contract is no longer on the allowlist of your game.',
    'Somebody may have removed it. Load the page again.',
  ),
  key_not_found: noLonger,
  key_ended: noLonger,
  last_key: sentence(
    'A game needs at least one key that can manage it and does not expire.',
    'Create another key with the scope Manage first.',
  ),
  too_many_keys: sentence(
    'Your game has the maximum number of keys.',
    'Revoke a key that nobody uses, and try again.',
  ),
  too_many_webhook_contracts: sentence(
    'Your game has too many contracts for events.',
    'Ask the operator of the service for more.',
  ),
  too_many_webhooks: sentence(
    'Your game has the maximum number of webhooks.',
    'Delete a webhook that nobody needs, and try again.',
  ),
  webhook_not_found: sentence(
    'This webhook does not exist any more.',
    'Somebody may have deleted it. Load the page again.',
  ),
  webhook_not_verified: sentence(
    'The server of this webhook has not answered a test yet.',
    'Test the webhook first.',
  ),
  too_many_ranges: sentence(
    'The allowlist would have too many ranges.',
    'Use fewer and longer ranges.',
  ),
  too_many_nfts: sentence(
    'The ranges cover too many NFTs for one request.',
    'Remove smaller ranges, or the whole contract.',
  ),
  payload_too_large: tooLarge,
  internal_error: sentence(
    'The service has made a mistake.',
    'Try again. If it happens again, send the number of the request to the operator of the service.',
  ),
  indexer_unavailable: sentence(
    'The service cannot read the blockchain at the moment.',
    'Its source of NFT data does not answer. Try again in a minute.',
  ),
}

/** The other answers with an error, by their status. */
export function sentencesOfStatus(status: number): FailureSentences {
  if (status === 401) {
    return sentence(
      'The API key is not accepted.',
      'It was revoked or has expired, or the game was deleted. Sign in with another key.',
    )
  }
  if (status === 413) return tooLarge
  if (status === 429) return sentence('Too many requests for now.', 'Wait a moment and try again.')
  if (status >= 500) {
    return sentence(
      'The service cannot answer at the moment.',
      'Try again in a minute. If it does not help, ask the operator of the service.',
    )
  }
  return sentence('The service has refused this.', 'Load the page again and repeat it.')
}

/** The sentences of a code of the API, if it has some of its own. */
export const sentencesOfCode = (code: string): FailureSentences | undefined =>
  Object.hasOwn(byCode, code) ? byCode[code] : undefined

/** An exhausted limit. A limit without a period does not fill up by itself. */
export const exhaustedLimit = (limit: string, hasPeriod: boolean): FailureSentences =>
  hasPeriod
    ? sentence(
        `Your game has used up a limit (${limit}).`,
        'Wait and try again. The page Usage shows all limits.',
      )
    : sentence(
        `Your game has reached a limit (${limit}).`,
        'Remove what your game does not need, or ask the operator of the service for a higher limit.',
      )

/** Failures without an answer of the service. */
export const withoutAnswer = {
  offline: sentence('Your device is offline.', 'Connect it to a network and try again.'),
  unreachable: sentence(
    'The service cannot be reached.',
    'Check your network and try again. If you run the service yourself, check that it is running.',
  ),
  timeout: sentence(
    'The service did not answer in time.',
    'Try again. If it happens again, wait some minutes.',
  ),
  notTheService: sentence(
    'The answer does not come from the service.',
    'A proxy, a firewall or a sign-in page of your network may be in the way. Check it and try again.',
  ),
  missingFile: sentence(
    'A part of the dashboard cannot be loaded.',
    'Check your network, or load the page again: the dashboard may have been updated.',
  ),
  defect: sentence('Something went wrong in the dashboard.', 'Load the page again.'),
} as const
