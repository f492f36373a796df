import {
  ApiError,
  ConnectionError,
  PlayerNftsError,
  TimeoutError,
} from '../../clients/typescript/src/errors.ts'
import { limitInWords } from './limit-words.ts'
import { problemSentences } from './problem-sentences.ts'

/** The codes of the client for an answer that is not that of the service. */
const clientCodes: readonly string[] = ['gateway_error', 'unexpected_answer']

/**
 * Describes any error that a call or the dashboard itself has thrown. The sentences are those of the dashboard: what the
 * client says is for its programmer. `isOnline`: whether the browser has a network.
 */
export function describeError(error: unknown, isOnline = navigator.onLine !== false) {
  const failure = error instanceof PlayerNftsError ? error : undefined
  const answer = error instanceof ApiError ? error : undefined
  const [title, advice] = sentencesOf(error, isOnline)
  const isOfService = failure?.status !== undefined && !clientCodes.includes(failure.code)
  return {
    title,
    advice,
    /** What the API says about the values that it has refused. */
    ...(answer && isExplained(answer) && { detail: answer.detail }),
    ...(isOfService && { code: failure.code }),
    ...(failure?.requestId && { requestId: failure.requestId }),
    /** Whether a change can have been made although the call has failed. */
    mayHaveTakenEffect: failure?.mayHaveTakenEffect ?? false,
    /** The time to wait before the next attempt; 0 if there is none. */
    retryAfterSeconds: answer?.retryAfterSeconds ?? 0,
    /** The first fault of each field of the request, by the name of the field. */
    fields: Object.fromEntries(
      (isOfService ? (answer?.errors ?? []) : [])
        .map(({ path, message }) => [path.split('.')[0], message])
        .reverse(),
    ) as Record<string, string>,
  }
}

/** Problems of which the API knows more: which value, or how many. */
const explained: readonly string[] = ['invalid_request', 'too_many_ranges', 'too_many_nfts']

const isExplained = ({ status, code }: ApiError): boolean =>
  explained.includes(code) ||
  (status < 500 &&
    status !== 401 &&
    status !== 429 &&
    !clientCodes.includes(code) &&
    sentencesOfCode(code) === undefined)

function sentencesOf(error: unknown, isOnline: boolean): FailureSentences {
  if (error instanceof DashboardError) return [error.message, error.advice]
  if (error instanceof PlayerNftsError && error.status !== undefined) {
    return sentencesOfAnswer(error, error.status)
  }
  if (error instanceof TimeoutError) return withoutAnswer.timeout
  const loading =
    error instanceof TypeError && /fetch|load|import/i.test(error.message) ? error.message : ''
  if (!(error instanceof ConnectionError) && loading === '') return withoutAnswer.defect
  if (!isOnline) return withoutAnswer.offline
  return /module/i.test(loading) ? withoutAnswer.missingFile : withoutAnswer.unreachable
}

function sentencesOfAnswer(error: PlayerNftsError, status: number): FailureSentences {
  const isSilent = clientCodes.includes(error.code)
  if (isSilent && status < 500 && status !== 413 && status !== 429) {
    return withoutAnswer.notTheService
  }
  const limit = !isSilent && error instanceof ApiError ? error.limit : undefined
  if (limit) return exhaustedLimit(limitInWords(limit), limit.perSeconds !== undefined)
  return sentencesOfCode(error.code) ?? sentencesOfStatus(status)
}

/** What the API says about a field, as a sentence. */
export const fieldSentence = (fault: string | undefined): string | undefined =>
  fault && `This field ${fault}.`

/** A failure that the dashboard itself has found, in its own words. */
export class DashboardError extends Error {
  override readonly name = 'DashboardError'
  readonly advice: string

  /** `title`: what has happened, as a sentence. */
  constructor(title: string, advice: string) {
    super(title)
    this.advice = advice
  }
}

/** What has happened, and what the user can do about it. */
type FailureSentences = readonly [title: string, advice: string]

/** The other answers with an error, by their status. */
function sentencesOfStatus(status: number): FailureSentences {
  if (status === 401) {
    return [
      'The API key is not accepted.',
      'It was revoked or has expired, or the game was deleted. Sign in with another key.',
    ]
  }
  if (status === 413) return ['The request is too large.', 'Send a shorter list.']
  if (status === 429) return ['Too many requests for now.', 'Wait a moment and try again.']
  if (status >= 500) {
    return [
      'The service cannot answer at the moment.',
      'Try again in a minute. If it does not help, ask the operator of the service.',
    ]
  }
  return ['The service has refused this.', 'Load the page again and repeat it.']
}

function sentencesOfCode(code: string): FailureSentences | undefined {
  return Object.hasOwn(problemSentences, code) ? problemSentences[code] : undefined
}

/** An exhausted limit. A limit without a period does not fill up by itself. */
const exhaustedLimit = (limit: string, hasPeriod: boolean): FailureSentences =>
  hasPeriod
    ? [
        `Your game has used up a limit (${limit}).`,
        'Wait and try again. The page Usage shows all limits.',
      ]
    : [
        `Your game has reached a limit (${limit}).`,
        'Remove what your game does not need, or ask the operator of the service for a higher limit.',
      ]

const withoutAnswer = {
  offline: ['Your device is offline.', 'Connect it to a network and try again.'],
  unreachable: [
    'The service cannot be reached.',
    'Check your network and try again. If you run the service yourself, check that it is running.',
  ],
  timeout: [
    'The service did not answer in time.',
    'Try again. If it happens again, wait some minutes.',
  ],
  notTheService: [
    'The answer does not come from the service.',
    'A proxy, a firewall or a sign-in page of your network may be in the way. Check it and try again.',
  ],
  missingFile: [
    'A part of the dashboard cannot be loaded.',
    'Check your network, or load the page again: the dashboard may have been updated.',
  ],
  defect: ['Something went wrong in the dashboard.', 'Load the page again.'],
} as const
