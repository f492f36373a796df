import type { ProblemEntry } from './problem-entry.ts'

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
