import type { GetPlayerDetailsParams, GetStructuredMetadataParams } from './types.ts'

export type { Answer } from './answer.ts'
export {
  allowlistInBatches,
  BatchError,
  type BatchOptions,
  type BatchProgress,
  type TokenSource,
  unbindInBatches,
} from './batches.ts'
export type { ApiCall } from './call.ts'
export { PlayerNfts } from './client.ts'
export {
  AbortedError,
  ApiError,
  BadRequestError,
  ConflictError,
  ConnectionError,
  ForbiddenError,
  NotFoundError,
  PlayerNftsError,
  RateLimitedError,
  ServerError,
  TimeoutError,
  UnauthorizedError,
  UnavailableError,
} from './errors.ts'
export type { List, Page } from './list.ts'
export type { Attempt, CallOptions, ClientOptions, ReadOptions, Secret } from './options.ts'
export type { TokenElement } from './token-elements.ts'
export type * from './types.ts'
export { type WebhookEventsOptions, webhookEvents } from './webhook-events.ts'

/** The player of a call, if it is not that of the client. */
export type OfPlayer = GetPlayerDetailsParams

/** What both lists of a player's NFTs take. */
export type PlayerNftsParams = GetStructuredMetadataParams

export type OpenApiDocument = Record<string, unknown>
