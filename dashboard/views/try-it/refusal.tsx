import { ApiError } from '../../../clients/typescript/src/errors.ts'
import { Failure } from '../../components/failure.tsx'
import { Notice } from '../../components/notice.tsx'
import { JsonView } from './json-view.tsx'

/** A failed call as the game gets it: status, code and the whole body. Without an answer, what has happened. */
export function Refusal({ error }: { error: unknown }) {
  if (!(error instanceof ApiError)) return <Failure error={error} />
  const { status, code, detail, requestId, retryAfterSeconds, body } = error
  return (
    <div class="stack">
      <Notice kind="error" title={`The game gets ${status} ${code}`}>
        <p>{detail}</p>
        <p class="notice-facts">
          {retryAfterSeconds !== undefined && <span>Retry-After: {retryAfterSeconds} s</span>}
          {requestId && <span>Request {requestId}</span>}
        </p>
      </Notice>
      <div class="card answer-text">
        <JsonView text={body} />
      </div>
    </div>
  )
}
