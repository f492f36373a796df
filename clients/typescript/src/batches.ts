import type { PlayerNfts } from './client.ts'
import { PlayerNftsError } from './errors.ts'
import type { CallOptions } from './options.ts'
import { type TokenElement, tokenText } from './token-elements.ts'
import type { AllowlistNftsParams, UnbindNftListParams } from './types.ts'

/** Elements of an allowlist in any number, also from a generator or a stream. */
export type TokenSource = Iterable<TokenElement> | AsyncIterable<TokenElement>

/** How far a long list is. */
export interface BatchProgress {
  /** How many elements of the source are done, those before `start` included. */
  done: number
  /** How many elements the source has, if it is an array or a Set. */
  total: number | undefined
  /** How many single NFTs were removed so far. 0 in allowlisting. */
  removed: number
}

/** Options of {@link allowlistInBatches} and {@link unbindInBatches}. */
export interface BatchOptions extends CallOptions {
  /** Is called after each batch. */
  onProgress?: ((progress: BatchProgress) => void) | undefined
  /** How many elements of the source to leave out: the `position` of a {@link BatchError}. */
  start?: number | undefined
  /** The number of elements of one request, at most and by default 10,000. */
  batchSize?: number | undefined
}

/** A long list was interrupted. `cause` is the error of the batch, and `code` and `status` are those of it. */
export class BatchError extends PlayerNftsError {
  override readonly name = 'BatchError'
  declare readonly cause: PlayerNftsError
  /** How many elements of the source are done. Pass it as `start` to go on with the same source. */
  readonly position: number

  constructor(cause: PlayerNftsError, position: number) {
    const { code, operation, status, requestId } = cause
    const detail = `${cause.detail} The first ${position} elements are done.`
    super({ code, detail, operation, status, requestId, cause })
    this.position = position
    this.attempts = cause.attempts
    this.mayHaveTakenEffect = cause.mayHaveTakenEffect
  }
}

/**
 * Allowlists any number of elements of one contract, in requests that the API accepts, one after the other. It
 * is safe to repeat, from the position of a {@link BatchError} or from the start.
 * @throws {BatchError} if a batch fails, with the position to go on from.
 */
export async function allowlistInBatches(
  client: PlayerNfts,
  params: Omit<AllowlistNftsParams, 'tokens'> & { tokens: TokenSource },
  options: BatchOptions = {},
): Promise<BatchProgress> {
  const send = async (tokens: string[], call: CallOptions) => {
    await client.allowlistNfts({ ...params, tokens }, call)
    return 0
  }
  return inBatches(params.tokens, options, send)
}

/**
 * Unbinds any number of elements of one contract, in requests that the API accepts, one after the other. It
 * is safe to repeat; `removed` then counts the rest.
 * @throws {BatchError} if a batch fails, with the position to go on from.
 */
export async function unbindInBatches(
  client: PlayerNfts,
  params: Omit<UnbindNftListParams, 'tokens'> & { tokens: TokenSource },
  options: BatchOptions = {},
): Promise<BatchProgress> {
  const send = async (tokens: string[], call: CallOptions) =>
    (await client.unbindNftList({ ...params, tokens }, call)).removed
  return inBatches(params.tokens, options, send)
}

async function inBatches(
  source: TokenSource,
  options: BatchOptions,
  send: (tokens: string[], call: CallOptions) => Promise<number>,
): Promise<BatchProgress> {
  const { onProgress, start = 0, batchSize, ...call } = options
  const progress: BatchProgress = { done: start, total: sizeOf(source), removed: 0 }
  // Six full batches exhaust the default limit of a minute, and the seventh waits for it to fill up.
  const patient = { maxRetries: 10, totalTimeoutMs: 600_000, ...defined(call) }
  for await (const tokens of batches(source, start, batchSize)) {
    try {
      progress.removed += await send(tokens, patient)
    } catch (error) {
      throw error instanceof PlayerNftsError ? new BatchError(error, progress.done) : error
    }
    progress.done += tokens.length
    onProgress?.({ ...progress })
  }
  return progress
}

/** The largest request: 10,000 elements, 100 ranges (D57), and a body of 1 MiB with room for the other fields. */
const limits = { elements: 10_000, ranges: 100, characters: 900_000 }

async function* batches(source: TokenSource, start: number, batchSize = limits.elements) {
  const largest = Math.max(1, Math.min(Math.floor(batchSize) || 1, limits.elements))
  let batch: string[] = []
  let ranges = 0
  let characters = 0
  let position = -1
  for await (const element of source) {
    position++
    if (position < start) continue
    const text = tokenText(element, `tokens[${position}]`)
    const isRange = /\.\.|\*/.test(text)
    const isFull =
      batch.length >= largest ||
      (isRange && ranges === limits.ranges) ||
      characters + text.length > limits.characters
    if (isFull && batch.length > 0) {
      yield batch
      batch = []
      ranges = 0
      characters = 0
    }
    batch.push(text)
    if (isRange) ranges++
    // Quotation marks and a comma.
    characters += text.length + 3
  }
  if (batch.length > 0) yield batch
}

const sizeOf = (source: TokenSource): number | undefined => {
  if (Array.isArray(source)) return source.length
  return source instanceof Set ? source.size : undefined
}

const defined = (call: CallOptions): CallOptions =>
  Object.fromEntries(Object.entries(call).filter(([, value]) => value !== undefined))
