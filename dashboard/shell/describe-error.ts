import type { ApiError } from '../../clients/typescript/src/errors.ts'
import { type LimitFacts, limitInWords } from './limit-words.ts'
import { problemSentences } from './problem-sentences.ts'

/** The properties that the errors of the client have. */
type ClientErrorFacts = { [Name in keyof ApiError]?: unknown }

/** The codes of the client for an answer that is not that of the service. */
const clientCodes: readonly unknown[] = ['gateway_error', 'unexpected_answer']

/**
 * Describes any error that a call or the dashboard itself has thrown. The sentences are those of the dashboard: what the
 * client says is for its programmer. `isOnline`: whether the browser has a network.
 */
export function describeError(error: unknown, isOnline = navigator.onLine !== false) {
  const facts: ClientErrorFacts = typeof error === 'object' && error !== null ? error : {}
  const status = typeof facts.status === 'number' ? facts.status : undefined
  const code = textOf(facts.code)
  const detail = isExplained(status, code) ? textOf(facts.detail) : undefined
  const requestId = textOf(facts.requestId)
  const { title, advice } = sentencesOf(error, facts, isOnline)
  return {
    /** One sentence that says what has happened. */
    title,
    /** What the user can do about it. */
    advice,
    /** What the API says about the values that it has refused. */
    ...(detail && { detail }),
    ...(status !== undefined && code && !clientCodes.includes(code) && { code }),
    ...(requestId && { requestId }),
    /** Whether a change can have been made although the call has failed. */
    mayHaveTakenEffect: facts.mayHaveTakenEffect === true,
    /** The time to wait before the next attempt; 0 if there is none. */
    retryAfterSeconds: Number(facts.retryAfterSeconds) || 0,
    /** What is wrong with the fields of the request, by their names. */
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

/** What has happened, and what the user can do about it. */
export interface FailureSentences {
  title: string
  advice: string
}

const sentence = (title: string, advice: string): FailureSentences => ({ title, advice })

/** The other answers with an error, by their status. */
export function sentencesOfStatus(status: number): FailureSentences {
  if (status === 401) {
    return sentence(
      'The API key is not accepted.',
      'It was revoked or has expired, or the game was deleted. Sign in with another key.',
    )
  }
  if (status === 413) return sentence('The request is too large.', 'Send a shorter list.')
  if (status === 429) return sentence('Too many requests for now.', 'Wait a moment and try again.')
  if (status >= 500) {
    return sentence(
      'The service cannot answer at the moment.',
      'Try again in a minute. If it does not help, ask the operator of the service.',
    )
  }
  return sentence('The service has refused this.', 'Load the page again and repeat it.')
}

/** The sentences of a code of the API, if it has some of its own. */
export function sentencesOfCode(code: string): FailureSentences | undefined {
  const sentences = Object.hasOwn(problemSentences, code) && problemSentences[code]
  return sentences ? sentence(...sentences) : undefined
}

/** An exhausted limit. A limit without a period does not fill up by itself. */
export const exhaustedLimit = (limit: string, hasPeriod: boolean): FailureSentences =>
  hasPeriod
    ? sentence(
        `Your game has used up a limit (${limit}).`,
        'Wait and try again. The page Usage shows all limits.',
      )
    : sentence(
        `Your game has reached a limit (${limit}).`,
        'Remove what your game does not need, or ask the operator of the service for a higher limit.',
      )

/** Failures without an answer of the service. */
export const withoutAnswer = {
  offline: sentence('Your device is offline.', 'Connect it to a network and try again.'),
  unreachable: sentence(
    'The service cannot be reached.',
    'Check your network and try again. If you run the service yourself, check that it is running.',
  ),
  timeout: sentence(
    'The service did not answer in time.',
    'Try again. If it happens again, wait some minutes.',
  ),
  notTheService: sentence(
    'The answer does not come from the service.',
    'A proxy, a firewall or a sign-in page of your network may be in the way. Check it and try again.',
  ),
  missingFile: sentence(
    'A part of the dashboard cannot be loaded.',
    'Check your network, or load the page again: the dashboard may have been updated.',
  ),
  defect: sentence('Something went wrong in the dashboard.', 'Load the page again.'),
} as const
