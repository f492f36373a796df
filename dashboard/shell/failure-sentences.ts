import { problemSentences } from './problem-sentences.ts'

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
