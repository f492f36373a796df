import { AsyncLocalStorage } from 'node:async_hooks'
import type { DownstreamService, TimedCall } from './service-times.ts'

/** The calls and failures of each service that was called, and the compute units that the indexer bills. */
export type DownstreamCounts = {
  [count in `${DownstreamService}${'Calls' | 'Failures'}` | 'indexerUnits']?: number
}

/** The product and the player that a request is about, as far as they are known. */
export interface RequestSubject {
  productId?: string | undefined
  userId?: number | undefined
  /** How many wallets of a user JWT were kept, and how many entries of their claim were left out (D92). */
  wallets?: { kept: number; leftOut: number }
  /** The age of the answer, that of its parts on main networks, and the number of its NFTs (D145). */
  answer?: {
    answerAgeSeconds: number
    mainAnswerAgeSeconds?: number
    nfts?: number
    keptContracts?: number
    askedContracts?: number
    indexerCalls?: 0
  }
  /** Why the keys of a login could not be read, for a request that can be answered without them (D137). */
  unreadKeys?: string
}

/** Ends with the request. The controller is created with the first call. */
export interface Lifetime {
  hasEnded: boolean
  controller?: AbortController
}

/** What is known of a request, or of a message of the work queue, everywhere in the work that it starts. */
export interface RequestScope {
  counts: DownstreamCounts
  calls: TimedCall[]
  subject: RequestSubject
  /** Absent for calls that several requests share. */
  lifetime?: Lifetime
  /** Rejects if the request is refused. Absent for a request that needs no permission. */
  permission?: Promise<unknown>
  /** Waits until the request may make one more call of the indexer. Rejects if it must not. */
  takeIndexerCall?: () => Promise<void>
  /** The work beside the request that is not done yet. */
  beside?: Set<Promise<unknown>>
  /** The wait for it, which begins once. */
  settling?: Promise<void>
}

/** The scope of the current request. One storage, because each that is entered costs every request time. */
export const requestScope = new AsyncLocalStorage<RequestScope>()
