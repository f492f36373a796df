import { useMemo } from 'preact/hooks'
import { describeError } from '../shell/describe-error.ts'
import { useCountdown } from '../shell/use-countdown.ts'
import { Button } from './button.tsx'
import { Notice } from './notice.tsx'

/**
 * A failed call: what has happened, what to do, and the request id for the support. `retry` repeats the call; its button
 * waits as long as the API asks for.
 */
export function Failure({ error, retry }: { error: unknown; retry?: () => void }) {
  const { title, detail, advice, code, requestId, retryAfterSeconds, mayHaveTakenEffect } =
    describeError(error)
  // The same wait begins anew with each error.
  const retryAt = useMemo(() => Date.now() + retryAfterSeconds * 1000, [error, retryAfterSeconds])
  const wait = useCountdown(retryAt)
  return (
    <Notice kind="error" title={title}>
      {detail && <p>{detail}</p>}
      <p>{advice}</p>
      {mayHaveTakenEffect && (
        <p>The change can have been made all the same. Check this before you repeat it.</p>
      )}
      {(code || requestId) && (
        <p class="notice-facts">
          {code && <code>{code}</code>}
          {requestId && <span>Request {requestId}</span>}
        </p>
      )}
      {retry && (
        <div class="actions">
          <Button onClick={retry} isBusy={wait > 0}>
            {wait > 0 ? `Try again in ${wait} s` : 'Try again'}
          </Button>
        </div>
      )}
    </Notice>
  )
}
