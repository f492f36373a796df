import { example } from '../../lib/contract/documentation/examples.ts'
import type { AnyProblemCode, ProblemCode } from '../../lib/contract/problems.ts'
import type { ProblemDocumentation } from './problem-documentation.ts'
import { signInProblemDocumentation } from './sign-in-problems.ts'

const usualDocumentation: Record<ProblemCode, ProblemDocumentation> = {
  invalid_json: {
    description: 'The body is not well-formed JSON in UTF-8. Repair the body.',
    detail: 'The body is not well-formed JSON in UTF-8.',
  },
  invalid_request: {
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
  },
  cursor_expired: {
    description:
      'The cursor is more than 9 minutes old, or its contracts or wallets have changed. Start again without a cursor.',
    detail: 'This cursor has expired or the contracts have changed; start again without a cursor.',
  },
  missing_api_key: {
    description: 'The header `X-Api-Key` is missing.',
    detail: 'Send the product API key in the header X-Api-Key.',
  },
  invalid_api_key: {
    description: 'No product has this API key, or the key has ended.',
    detail: 'The API key in the header X-Api-Key is not known.',
  },
  missing_user_token: {
    description: 'The header `Authorization` is missing or is not `Bearer <USER_JWT>`.',
    detail: 'Send the user JWT in the header Authorization, as Bearer <USER_JWT>.',
  },
  invalid_user_token: {
    description:
      'The user JWT has expired, is not signed with an accepted key, has another audience or issuer, or lacks a claim. Sign the user in again.',
    detail: 'The user JWT has expired.',
  },
  invalid_player_token: {
    description: 'This service did not issue the player token. Request a new one.',
    detail: 'The player token is not one of this service.',
  },
  player_token_expired: {
    description: 'The player token is older than 24 hours. Request a new one.',
    detail: 'The player token has expired; ask for a new one.',
  },
  product_stopped: {
    description:
      'The operator of the service has stopped the product. The API key is valid. Ask the operator for the reason.',
    detail:
      'The operator of this service has stopped this product; ask the operator for the reason.',
  },
  insufficient_scope: {
    description:
      'The API key works, but its scope `READ` permits only reading the NFTs of players. Use a key with the scope `MANAGE`.',
    detail: 'This API key has the scope READ; this operation requires a key with the scope MANAGE.',
  },
  contract_not_connected: {
    description: 'The product has not connected this contract on this chain, or has unbound it.',
    detail: `Contract ${example.contracts.gear} on BSC is not connected to this product.`,
  },
  key_not_found: {
    description: 'The product has no API key with this `keyId`, and had none in the last 90 days.',
    detail: 'This product has no API key with this keyId.',
  },
  webhook_not_found: {
    description: 'The product has no webhook with this `webhookId`.',
    detail: 'This product has no webhook with this identity; GET /product/webhooks lists them.',
  },
  key_ended: {
    description: 'The API key has ended in the last 90 days. Nothing was changed.',
    detail: 'This API key has ended already.',
  },
  last_key: {
    description:
      'The product would be left without an API key that has the scope `MANAGE` and no end. Create another such key first.',
    detail:
      'This is the last API key with the scope MANAGE and without an end; create another such key first.',
  },
  too_many_keys: {
    description: 'The product has 50 API keys that work. End one of them first.',
    detail: 'A product can have 50 API keys that work; end a key first.',
  },
  too_many_webhook_contracts: {
    description:
      'The product has more contracts on followed chains than `webhookContracts` of the deployment permits, or the events of 1,000 contracts are logged in the deployment already. Nothing was changed.',
    detail: 'Events are for 20 contracts; this product has 21.',
  },
  too_many_webhooks: {
    description: 'The product has 5 webhooks. Delete one first.',
    detail: 'A product can have 5 webhooks; delete one first.',
  },
  webhook_not_verified: {
    description:
      'The server at the URL of the webhook has not answered a test, so the webhook has no events. Test it first.',
    detail: 'The server at the URL of this webhook must answer a test first: POST …/test.',
  },
  too_many_ranges: {
    description:
      'The request would leave more than 100 ranges on the allowlist of the contract, or more than 2,000 on all allowlists of the product, or it unbinds more than 100 ranges. Nothing has changed. Allowlist or unbind larger ranges.',
    detail: 'The allowlist of the contract would have more than 100 ranges; nothing has changed.',
  },
  too_many_nfts: {
    description:
      'The ranges to unbind cover more than 10,000 single NFTs of the allowlist. Nothing has changed. Unbind smaller ranges, or the contract.',
    detail:
      'The ranges cover more than 10,000 single NFTs of the allowlist, and nothing has changed; unbind smaller ranges, or the contract.',
  },
  payload_too_large: {
    description: 'The body has more than 1,048,576 bytes. Send it in several requests.',
    detail: 'The body may have at most 1048576 bytes.',
  },
  unsupported_media_type: {
    description:
      'The body is declared as something other than `application/json`, or is compressed: the response then has `Accept-Encoding: identity`.',
    detail: 'Send the body as JSON, with Content-Type: application/json.',
  },
  rate_limited: {
    description:
      'A limit of this caller is exhausted; `limit` names it. Try again after `Retry-After` seconds. Other callers are not affected.',
    detail: 'The limit player_details is exhausted: 30 in 60 seconds. Try again in 12 seconds.',
    limit: { name: 'player_details', count: 30, perSeconds: 60 },
  },
  internal_error: {
    description:
      'A defect of the service. It is in the log under the `requestId`. Include the `requestId` when you report it.',
    detail: 'Something went wrong on our side; it has been recorded.',
  },
  indexer_unavailable: {
    description:
      'The NFT indexer is down, slow or throttled. The service never returns a partial result instead. Try again after `Retry-After` seconds.',
    detail: 'The NFT indexer does not answer as it should at the moment; try again shortly.',
  },
  service_unavailable: {
    description:
      'The service is overloaded or a part of it is unavailable. Try again after `Retry-After` seconds. Every request is safe to repeat, but a repeated registration creates a second product.',
    detail: 'The service is overloaded or partly unavailable at the moment; try again shortly.',
  },
}

/** The prose and an example of every problem (D2, D3, D110). */
export const problemDocumentation: Record<AnyProblemCode, ProblemDocumentation> = {
  ...usualDocumentation,
  ...signInProblemDocumentation,
}
