import { Notice } from '../components/notice.tsx'
import { failureText } from './failure-text.ts'

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
