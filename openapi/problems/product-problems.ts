import { example } from '../../lib/contract/documentation.ts'
import type { ProblemEntry } from './problem-entry.ts'

/** The problems of a product: its allowlists and its API keys. */
export const productProblems = {
  contract_not_connected: {
    status: 404,
    title: 'The contract is not connected',
    description: 'The product has not connected this contract on this chain, or has unbound it.',
    detail: `Contract ${example.contracts.gear} on BSC is not connected to this product.`,
    dashboard: [
      'This contract is no longer on the allowlist of your game.',
      'Somebody may have removed it. Load the page again.',
    ],
  },
  key_not_found: {
    status: 404,
    title: 'The API key does not exist',
    description: 'The product has no API key with this `keyId`, and had none in the last 90 days.',
    detail: 'This product has no API key with this keyId.',
    dashboard: ['This key no longer works.', 'Somebody may have revoked it. Load the page again.'],
  },
  key_ended: {
    status: 409,
    title: 'The API key has ended',
    description: 'The API key has ended in the last 90 days. Nothing was changed.',
    detail: 'This API key has ended already.',
    dashboard: ['This key no longer works.', 'Somebody may have revoked it. Load the page again.'],
  },
  last_key: {
    status: 409,
    title: 'The last API key cannot end',
    description:
      'The product would be left without an API key that has the scope `MANAGE` and no end. Create another such key first.',
    detail:
      'This is the last API key with the scope MANAGE and without an end; create another such key first.',
    dashboard: [
      'A game needs at least one key that can manage it and does not expire.',
      'Create another key with the scope Manage first.',
    ],
  },
  too_many_keys: {
    status: 409,
    title: 'The product has too many API keys',
    description: 'The product has 50 API keys that work. End one of them first.',
    detail: 'A product can have 50 API keys that work; end a key first.',
    dashboard: [
      'Your game has the maximum number of keys.',
      'Revoke a key that nobody uses, and try again.',
    ],
  },
  too_many_ranges: {
    status: 409,
    title: 'The allowlist has too many ranges',
    description:
      'The request would leave more than 100 ranges on the allowlist of the contract, or more than 2,000 on all allowlists of the product, or it unbinds more than 100 ranges. Nothing has changed. Allowlist or unbind larger ranges.',
    detail: 'The allowlist of the contract would have more than 100 ranges; nothing has changed.',
    dashboard: ['The allowlist would have too many ranges.', 'Use fewer and longer ranges.'],
  },
  too_many_nfts: {
    status: 409,
    title: 'The ranges cover too many NFTs',
    description:
      'The ranges to unbind cover more than 10,000 single NFTs of the allowlist. Nothing has changed. Unbind smaller ranges, or the contract.',
    detail:
      'The ranges cover more than 10,000 single NFTs of the allowlist, and nothing has changed; unbind smaller ranges, or the contract.',
    dashboard: [
      'The ranges cover too many NFTs for one request.',
      'Remove smaller ranges, or the whole contract.',
    ],
  },
} as const satisfies Readonly<Record<string, ProblemEntry>>
