import { problemSentences } from './problem-sentences.ts'
import { NoAnswer, ServiceProblem } from './service.ts'
import { texts } from './texts.ts'
import { WalletError } from './wallet.ts'

const { wallet, service, noAnswer, defect } = texts.failures

/** What has happened, and what the player can do about it. */
export type FailureText = readonly [title: string, advice: string]

/** The words for any error of the page. */
export function failureText(error: unknown): FailureText {
  if (error instanceof WalletError) return wallet[error.fault]
  if (error instanceof NoAnswer) return noAnswer
  if (!(error instanceof ServiceProblem)) return defect
  return (Object.hasOwn(problemSentences, error.code) && problemSentences[error.code]) || service
}
