import type { OperationId } from './types.ts'

/** A credential, or a function that returns the one to use, which is called before each request. */
export type Secret = string | (() => string | Promise<string>)

/** What a client needs to know. */
export interface ClientOptions extends ReadOptions {
  /** Where the service is, such as `https://nfts.example.com`. */
  baseUrl: string | URL
  /** The API key of your product. Keep it on servers and developer pages, never in a game. */
  apiKey?: Secret | undefined
  /** The id of your product, for games without an API key. It is sent only if there is no `apiKey`. */
  productId?: string | undefined
  /** The player token of the calls that give none. */
  playerToken?: Secret | undefined
  /** The user JWT of the calls that give none. */
  userJwt?: Secret | undefined
  /** The session of the calls that give none: of a user who has signed in with a wallet, on a page of yours. */
  session?: Secret | undefined
  /** Replaces the global `fetch`. */
  fetch?: typeof globalThis.fetch | undefined
  /** Is called after each request, for logs and metrics. It sees no credential and no body. Its errors are ignored. */
  onAttempt?: ((attempt: Attempt) => void) | undefined
}

/**
 * What every call takes. A value here replaces that of the client; each header and each option of `fetch` by
 * its name. A signal of the client also ends a call that has its own.
 */
export interface CallOptions {
  /** Aborts the call, also while it waits to try again. */
  signal?: AbortSignal | undefined
  /** The longest time for one request and its response, in milliseconds; 35,000 by default, `Infinity` for no limit. */
  timeoutMs?: number | undefined
  /** How often a failed request is sent again where that is safe; 2 by default. */
  maxRetries?: number | undefined
  /**
   * The longest time for the whole call with all waits, in milliseconds; 120,000 by default. No wait begins
   * that would end later.
   */
  totalTimeoutMs?: number | undefined
  /** More headers. Browsers only send those that the service permits. */
  headers?: Readonly<Record<string, string>> | undefined
  /** More options of `fetch`, for example the `dispatcher` of undici. */
  fetchOptions?: Omit<RequestInit, 'method' | 'headers' | 'body' | 'signal'> | undefined
}

/**
 * What calls about a player's NFTs and balance take too: the age of the answer that they accept. It has no effect with
 * a `cursor`.
 */
export interface ReadOptions extends CallOptions {
  /**
   * The greatest age of what the service has, in seconds: if it is older, the service asks the indexer, with 0 in any case. By default,
   * the service decides.
   */
  maxAgeSeconds?: number | undefined
  /**
   * The greatest age of what the service has while the indexer is down, in seconds, a day at most. Such an answer is `stale`. Without
   * it, or if the service has nothing, the call fails with the code `indexer_unavailable`.
   */
  staleIfErrorSeconds?: number | undefined
}

/** One request of a call and its result. */
export interface Attempt {
  operation: OperationId
  method: string
  /** The path, without the query. */
  path: string
  /** 1 for the first request of the call. */
  attempt: number
  durationMs: number
  status?: number | undefined
  requestId?: string | undefined
  /** The code of the error, if the request failed. */
  code?: string | undefined
  /** The wait before the next request, in milliseconds. Absent if there is none. */
  retryInMs?: number | undefined
}

/** The settings of one call. */
export interface Settings {
  fetch: typeof globalThis.fetch
  fetchOptions: CallOptions['fetchOptions']
  headers: Readonly<Record<string, string>>
  /** The header `Cache-Control` of a read; absent if the caller says nothing of the age. */
  cacheControl: string | undefined
  maxRetries: number
  onAttempt: ClientOptions['onAttempt']
  signals: readonly AbortSignal[]
  timeoutMs: number
  totalTimeoutMs: number
}

/**
 * Returns the options of the call, or else those of the client, or else the defaults.
 * @throws {TypeError} if an age is no whole number of seconds.
 */
export function settingsOf(client: ClientOptions, call: ReadOptions): Settings {
  const signals = [client.signal, call.signal].filter((signal) => signal !== undefined)
  return {
    // The global function is looked up for each request, because tests and tools replace it.
    fetch: client.fetch ?? ((input, init) => globalThis.fetch(input, init)),
    fetchOptions: { ...client.fetchOptions, ...call.fetchOptions },
    headers: { ...client.headers, ...call.headers },
    cacheControl: cacheControlOf({
      maxAgeSeconds: call.maxAgeSeconds ?? client.maxAgeSeconds,
      staleIfErrorSeconds: call.staleIfErrorSeconds ?? client.staleIfErrorSeconds,
    }),
    maxRetries: call.maxRetries ?? client.maxRetries ?? 2,
    onAttempt: client.onAttempt,
    signals: [...new Set(signals)],
    // API Gateway ends each request after 30 seconds.
    timeoutMs: call.timeoutMs ?? client.timeoutMs ?? 35_000,
    totalTimeoutMs: call.totalTimeoutMs ?? client.totalTimeoutMs ?? 120_000,
  }
}

type Ages = Pick<ReadOptions, 'maxAgeSeconds' | 'staleIfErrorSeconds'>

/** The request directives of RFC 9111 section 5.2.1 and RFC 5861 section 4. */
function cacheControlOf(ages: Ages): string | undefined {
  for (const [name, seconds] of Object.entries(ages)) {
    if (seconds === undefined || (Number.isSafeInteger(seconds) && seconds >= 0)) continue
    throw new TypeError(`${name} must be a whole number of seconds, 0 or more`)
  }
  const { maxAgeSeconds, staleIfErrorSeconds } = ages
  const directives = [
    ...(maxAgeSeconds === undefined ? [] : [maxAgeDirective(maxAgeSeconds)]),
    ...(staleIfErrorSeconds === undefined ? [] : [`stale-if-error=${staleIfErrorSeconds}`]),
  ]
  return directives.length > 0 ? directives.join(', ') : undefined
}

const maxAgeDirective = (seconds: number) => (seconds === 0 ? 'no-cache' : `max-age=${seconds}`)
