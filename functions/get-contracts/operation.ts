import * as v from 'valibot'
import {
  address,
  shownText,
  shownWholeNumber,
  time,
  tokenElement,
} from '../../lib/contract/answers.ts'
import {
  type Documentation,
  describedObject,
  example,
  lastingCursor,
  refusedNumber,
} from '../../lib/contract/documentation.ts'
import { contractCursor } from '../../lib/contract/fields/cursors.ts'
import { count } from '../../lib/contract/fields/numbers.ts'
import { base, type OperationRequests, type Route } from '../../lib/contract/route.ts'
import { maxContractsPerPage } from '../../lib/domain/allowlist/allowlist-limits.ts'
import { notKeptReasons } from '../../lib/domain/holdings/ownership.ts'

/** Whether the holders of a contract are kept (D157): `since` if they are, else `reason`. */
const ownership = v.object({
  kept: v.boolean(),
  since: v.optional(time),
  reason: v.optional(v.picklist(notKeptReasons)),
})

export const row = {
  id: 'getContracts',
  section: 'D37',
  method: 'GET',
  paths: [`${base}/product/contracts`],
  auth: 'PRODUCT',
  query: v.object({
    limit: v.optional(count(1, maxContractsPerPage)),
    cursor: v.optional(contractCursor),
  }),
  /**
   * The connected contracts (D37): `nftCount` is absent above 1,000; `ranges` is absent without ranges (D58); `ownership` is absent in a
   * deployment that keeps nothing (D157).
   */
  answer: v.array(
    v.object({
      chain: shownText,
      address,
      description: shownText,
      connectedAt: time,
      nftCount: v.optional(shownWholeNumber),
      ranges: v.optional(v.array(tokenElement)),
      ownership: v.optional(ownership),
    }),
  ),
  form: 'paged',
} as const satisfies Route

export const requests: OperationRequests = { each: { Query: 2, BatchGetItem: 1 } }

export const documentation = (): Documentation<typeof row> => {
  const gear = {
    chain: 'POLYGON',
    address: example.contracts.gear,
    description: 'Equipment of the lamp keepers of Brindlewake (ERC-1155).',
    connectedAt: '2026-01-01T09:30:00.000Z',
    ownership: { kept: true, since: '2026-01-03T06:12:45.000Z' },
  }

  return {
    tag: 'Allowlist',
    summary: 'Get contracts',
    description:
      'Lists the contracts that are connected to the product, each with its description, in a fixed order: chain by name, then address. One response has at most 100 contracts, or `limit`; if there are more, `nextCursor` leads to the next page. A contract stays on the list until it is unbound, even without NFTs.\n\nThe service can keep who holds the NFTs of a contract, and then answers without the indexer. `ownership` says of each contract whether it is kept.',
    parameters: {
      limit: { description: 'Maximum number of contracts; 100 if omitted.', example: 50 },
      cursor: lastingCursor(example.contractCursor),
    },
    answers: {
      whole: {
        summary: 'The whole list',
        value: [
          {
            chain: 'BSC',
            address: example.contracts.crates,
            description: 'Crates of the season (ERC-1155).',
            connectedAt: '2026-01-02T17:05:12.480Z',
            ranges: ['*'],
            ownership: { kept: false, reason: 'in_preparation' },
          },
          gear,
        ],
      },
      page: {
        summary: 'A part of it (limit=1)',
        value: [{ ...gear, nftCount: 3 }],
        nextCursor: example.contractCursor,
      },
    },
    invalidRequest: refusedNumber('limit', 101, 100),
    schemas: {
      ConnectedContract: describedObject(
        row.answer.item,
        'A contract that is connected to the product.',
        {
          chain: 'Chain name. Chains can be added to those of `Chain`.',
          address: 'Contract address, in lower case.',
          description: 'The description of the latest allowlisting that had one.',
          connectedAt: 'When the contract was connected, in UTC. A new connection has a new time.',
          nftCount:
            'The number of allowlisted token identifiers, those of ranges included. Absent if there are more than 1,000.',
          ranges:
            'The ranges of the allowlist, in the order of numbers: `a..b` with both ends included, or `*`, which is every token identifier. Absent without ranges.',
          ownership:
            'Whether the service keeps who holds the NFTs of the contract. Absent in a deployment that follows no chain or keeps no contract.',
        },
      ),
      ContractOwnership: describedObject(
        ownership,
        'Whether the service keeps who holds the NFTs of a contract.',
        {
          kept: '`true`: reads answer from what the service has read of the chain, while that is at most a minute old. `false`: they ask the indexer.',
          since: 'Since when, in UTC. Only with `kept`. It is later after a new snapshot.',
          reason:
            'Why the contract is not kept. `chain_not_followed`: the deployment does not keep contracts of this chain. `above_limit`: earlier contracts of the list use up the number of contracts that are kept of a product. `not_read`: it is read too seldom. `in_preparation`: a snapshot is made. `busy`: it has more events than are followed; followed again after some time. `events_refused`: the chain does not tell its events; asked again after some time. `unknown_event`: an event was not understood. `too_many_nfts`: it has more NFTs than are kept of a contract. `owners_not_listed`: the indexer lists no owners of it. `doubted`: a check has found a difference from the chain. `interrupted`: its events were not known for some time; a new snapshot follows.',
        },
      ),
    },
  }
}
