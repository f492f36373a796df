import {
  exhaustedLimit,
  type FailureSentences,
  sentencesOfCode,
  sentencesOfStatus,
  withoutAnswer,
} from './failure-sentences.ts'
import { type LimitFacts, limitInWords } from './limit-words.ts'

/** An error as the dashboard shows it. */
interface ErrorDescription {
  /** One sentence that says what has happened. */
  title: string
  /** What the user can do about it. */
  advice: string
  /** What the API says about the values that it has refused. */
  detail?: string
  /** The stable code of the problem. */
  code?: string
  requestId?: string
  /** Whether a change can have been made although the call has failed. */
  mayHaveTakenEffect: boolean
  /** The time to wait before the next attempt; 0 if there is none. */
  retryAfterSeconds: number
  /** What is wrong with the fields of the request, by their names. */
  fields: Readonly<Record<string, string>>
}

/** The properties that the errors of the client have (see clients/typescript). */
interface ClientErrorFacts {
  name?: unknown
  status?: unknown
  code?: unknown
  detail?: unknown
  message?: unknown
  requestId?: unknown
  retryAfterSeconds?: unknown
  mayHaveTakenEffect?: unknown
  errors?: unknown
  limit?: unknown
}

/** The codes of the client for an answer that is not that of the service. */
const clientCodes: readonly unknown[] = ['gateway_error', 'unexpected_answer']

/**
 * Describes any error that a call or the dashboard itself has thrown. The sentences are those of the dashboard: what the
 * client says is for its programmer. `isOnline`: whether the browser has a network.
 */
export function describeError(
  error: unknown,
  isOnline = navigator.onLine !== false,
): ErrorDescription {
  const facts: ClientErrorFacts = typeof error === 'object' && error !== null ? error : {}
  const status = typeof facts.status === 'number' ? facts.status : undefined
  const code = textOf(facts.code)
  const detail = isExplained(status, code) ? textOf(facts.detail) : undefined
  const requestId = textOf(facts.requestId)
  const { title, advice } = sentencesOf(error, facts, isOnline)
  return {
    title,
    advice,
    ...(detail && { detail }),
    ...(status !== undefined && code && !clientCodes.includes(code) && { code }),
    ...(requestId && { requestId }),
    mayHaveTakenEffect: facts.mayHaveTakenEffect === true,
    retryAfterSeconds: Number(facts.retryAfterSeconds) || 0,
    fields: fieldsOf(facts.errors),
  }
}

const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined

/** Problems of which the API knows more: which value, or how many. */
const explained = ['invalid_request', 'too_many_ranges', 'too_many_nfts']

const isExplained = (status = 0, code = ''): boolean =>
  explained.includes(code) ||
  (status >= 400 &&
    status < 500 &&
    status !== 401 &&
    status !== 429 &&
    !clientCodes.includes(code) &&
    sentencesOfCode(code) === undefined)

function sentencesOf(
  error: unknown,
  { name, message, status, code, limit }: ClientErrorFacts,
  isOnline: boolean,
): FailureSentences {
  if (error instanceof DashboardError) return { title: error.message, advice: error.advice }
  if (typeof status === 'number') return sentencesOfAnswer(status, code, limit)
  if (name === 'TimeoutError') return withoutAnswer.timeout
  const isLoading = name === 'TypeError' && /fetch|load|import/i.test(String(message))
  if (name !== 'ConnectionError' && !isLoading) return withoutAnswer.defect
  if (!isOnline) return withoutAnswer.offline
  return /module/i.test(String(message)) ? withoutAnswer.missingFile : withoutAnswer.unreachable
}

function sentencesOfAnswer(status: number, code: unknown, limit: unknown): FailureSentences {
  const isSilent = clientCodes.includes(code)
  if (isSilent && status < 500 && status !== 413 && status !== 429) {
    return withoutAnswer.notTheService
  }
  if (isLimit(limit)) return exhaustedLimit(limitInWords(limit), limit.perSeconds !== undefined)
  return sentencesOfCode(String(code)) ?? sentencesOfStatus(status)
}

const isLimit = (limit: unknown): limit is LimitFacts =>
  typeof limit === 'object' && limit !== null && 'name' in limit && 'count' in limit

/** What the API says about a field, as a sentence. */
export const fieldSentence = (fault: string | undefined): string | undefined =>
  fault && `This field ${fault}.`

function fieldsOf(errors: unknown): Record<string, string> {
  const fields: Record<string, string> = {}
  for (const entry of Array.isArray(errors) ? errors : []) {
    const { path, message } = entry as { path?: unknown; message?: unknown }
    if (typeof path === 'string' && typeof message === 'string') fields[path] ??= message
  }
  return fields
}

/** A failure that the dashboard itself has found, in its own words. */
export class DashboardError extends Error {
  override readonly name = 'DashboardError'
  /** What the user can do, as a sentence. */
  readonly advice: string

  /** `title`: what has happened, as a sentence. */
  constructor(title: string, advice: string) {
    super(title)
    this.advice = advice
  }
}
