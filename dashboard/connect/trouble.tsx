import { Notice } from '../components/feedback.tsx'
import { problemSentences } from './problem-sentences.ts'
import { NoAnswer, ServiceProblem } from './service.ts'
import { texts } from './texts.ts'
import { WalletError } from './wallet.ts'

/** Why something has not worked, or nothing without an error. Screen readers say it at once. */
export function Trouble({ error }: { error: unknown }) {
  if (error === undefined) return null
  const [title, advice] = failureText(error)
  return (
    <Notice kind="error" title={title}>
      <p>{advice}</p>
    </Notice>
  )
}

const { wallet, service, noAnswer, defect } = texts.failures

/** What has happened, and what the player can do about it. */
type FailureText = readonly [title: string, advice: string]

/** The words for any error of the page. */
function failureText(error: unknown): FailureText {
  if (error instanceof WalletError) return wallet[error.fault]
  if (error instanceof NoAnswer) return noAnswer
  if (!(error instanceof ServiceProblem)) return defect
  return (Object.hasOwn(problemSentences, error.code) && problemSentences[error.code]) || service
}
