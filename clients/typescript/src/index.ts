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
  type ExhaustedLimit,
  type FieldError,
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
