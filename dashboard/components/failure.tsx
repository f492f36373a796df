import { useEffect, useState } from 'preact/hooks'
import { describeError } from '../shell/describe-error.ts'
import { Button } from './button.tsx'
import { Notice } from './notice.tsx'

/**
 * A failed call: what has happened, what to do, and the request id for the support. `retry` repeats the call; its button
 * waits as long as the API asks for.
 */
export function Failure({ error, retry }: { error: unknown; retry?: () => void }) {
  const { title, detail, code, requestId, retryAfterSeconds, mayHaveTakenEffect } =
    describeError(error)
  const wait = useCountdown(error, retryAfterSeconds)
  return (
    <Notice kind="error" title={title}>
      {detail && <p>{detail}</p>}
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

/** Returns the seconds that are left, and counts them down. It begins anew with each error. */
function useCountdown(error: unknown, seconds: number): number {
  const [left, setLeft] = useState(seconds)
  // The same wait begins anew with each error
  useEffect(() => {
    const end = Date.now() + seconds * 1000
    const update = () => setLeft(Math.max(0, Math.ceil((end - Date.now()) / 1000)))
    update()
    const timer = setInterval(update, 250)
    return () => clearInterval(timer)
  }, [error, seconds])
  return left
}
