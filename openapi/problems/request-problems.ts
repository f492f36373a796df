import type { ProblemEntry } from './problem-entry.ts'

/** The problems of the form of a request. */
export const requestProblems = {
  invalid_json: {
    status: 400,
    title: 'The body is not JSON',
    description: 'The body is not well-formed JSON in UTF-8. Repair the body.',
    detail: 'The body is not well-formed JSON in UTF-8.',
  },
  invalid_request: {
    status: 400,
    title: 'The request has invalid fields',
    description:
      'Fields of the request are missing or invalid. `errors` lists each of them with its first fault. Correct all of them and send the request again.',
    detail:
      'chain must be one of AMOY, ARBITRUM, ARBITRUM_SEPOLIA, AVALANCHE, BASE, BASE_SEPOLIA, BSC, BSC_TESTNET, ETHEREUM, FUJI, MUMBAI, OPTIMISM, OPTIMISM_SEPOLIA, POLYGON, RONIN, SAIGON, SEPOLIA.',
    errors: [
      {
        in: 'query',
        path: 'chain',
        message:
          'must be one of AMOY, ARBITRUM, ARBITRUM_SEPOLIA, AVALANCHE, BASE, BASE_SEPOLIA, BSC, BSC_TESTNET, ETHEREUM, FUJI, MUMBAI, OPTIMISM, OPTIMISM_SEPOLIA, POLYGON, RONIN, SAIGON, SEPOLIA',
      },
    ],
    dashboard: ['Some of the values cannot be accepted.', 'Correct them and try again.'],
  },
  cursor_expired: {
    status: 400,
    title: 'The cursor has expired',
    description:
      'The cursor is more than 9 minutes old, or its contracts or wallets have changed, or one of its contracts is not kept any more. Start again without a cursor.',
    detail: 'This cursor has expired or the contracts have changed; start again without a cursor.',
    dashboard: ['The list has changed in the meantime.', 'Load it again.'],
  },
  payload_too_large: {
    status: 413,
    title: 'The body is too large',
    description: 'The body has more than 1,048,576 bytes. Send it in several requests.',
    detail: 'The body may have at most 1048576 bytes.',
    dashboard: ['The request is too large.', 'Send a shorter list.'],
  },
  unsupported_media_type: {
    status: 415,
    title: 'The body is compressed, or not declared as JSON',
    description:
      'The body is declared as something other than `application/json`, or is compressed: the response then has `Accept-Encoding: identity`.',
    detail: 'Send the body as JSON, with Content-Type: application/json.',
  },
} as const satisfies Readonly<Record<string, ProblemEntry>>

/** The problems of the service itself, and of its limits. */
export const serviceProblems = {
  rate_limited: {
    status: 429,
    title: 'A limit is exhausted',
    description:
      'A limit of this caller is exhausted; `limit` names it. Try again after `Retry-After` seconds. Other callers are not affected.',
    detail: 'The limit player_details is exhausted: 30 in 60 seconds. Try again in 12 seconds.',
    limit: { name: 'player_details', count: 30, perSeconds: 60 },
    connect: ['You have tried this too often.', 'Wait a few minutes and try again.'],
  },
  internal_error: {
    status: 500,
    title: 'The service has failed',
    description:
      'A defect of the service. It is in the log under the `requestId`. Include the `requestId` when you report it.',
    detail: 'Something went wrong on our side; it has been recorded.',
    dashboard: [
      'The service has made a mistake.',
      'Try again. If it happens again, send the number of the request to the operator of the service.',
    ],
  },
  indexer_unavailable: {
    status: 503,
    title: 'The NFT indexer is unavailable',
    description:
      'The answer needs the NFT indexer, which is down, slow or throttled. The service never returns a partial result instead. Try again after `Retry-After` seconds.',
    detail: 'The NFT indexer does not answer as it should at the moment; try again shortly.',
    dashboard: [
      'The service cannot read the blockchain at the moment.',
      'Its source of NFT data does not answer. Try again in a minute.',
    ],
  },
  service_unavailable: {
    status: 503,
    title: 'The service is unavailable',
    description:
      'The service is overloaded or a part of it is unavailable. Try again after `Retry-After` seconds. Every request is safe to repeat, but a repeated registration creates a second product.',
    detail: 'The service is overloaded or partly unavailable at the moment; try again shortly.',
  },
} as const satisfies Readonly<Record<string, ProblemEntry>>
