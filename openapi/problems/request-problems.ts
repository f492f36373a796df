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
