import type { ListedKey } from '../../../clients/typescript/src/types.ts'
import { Button } from '../../components/button.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { Failure } from '../../components/failure.tsx'
import { Notice } from '../../components/notice.tsx'
import { UtcDay } from '../../components/time.tsx'
import { useClient } from '../../shell/client.ts'
import { describeError } from '../../shell/describe-error.ts'
import { useAction } from '../../shell/use-action.ts'

/** Ends a key, after saying what that means. */
export function EndKeyDialog({
  of: { keyId, label, last4, lastUsedOn },
  isOwn,
  onEnded,
  onClose,
}: {
  of: ListedKey
  /** Whether the user is signed in with this key. */
  isOwn: boolean
  onEnded: (key: ListedKey) => void
  onClose: () => void
}) {
  const client = useClient()
  const end = useAction(async () => onEnded(await client.endKey({ keyId })))
  const isLast = describeError(end.error).code === 'last_key'
  return (
    <Dialog title="End this key?" onClose={onClose}>
      <div class="stack">
        <p>
          <bdi class="foreign">{label}</bdi> {last4 !== null && <code>…{last4}</code>} stops working
          with the next request, everywhere. This cannot be undone.
        </p>
        <p>
          {lastUsedOn === null ? (
            'It was never used.'
          ) : (
            <>
              It was last used on <UtcDay day={lastUsedOn} />.
            </>
          )}
        </p>
        {isOwn && (
          <Notice kind="warning">
            <p>You are signed in with this key. Afterwards, sign in with another one.</p>
          </Notice>
        )}
        {isLast ? (
          <Notice kind="error" title="This key cannot be ended.">
            <p>
              It is the last one that can manage the product and has no end. Create another key with
              the scope Manage first, or rotate this one.
            </p>
          </Notice>
        ) : (
          end.error !== undefined && <Failure error={end.error} />
        )}
        <div class="actions">
          {!isLast && (
            <Button kind="danger" isBusy={end.isRunning} onClick={() => end.run()}>
              End the key
            </Button>
          )}
          <Button onClick={onClose}>{isLast ? 'Close' : 'Cancel'}</Button>
        </div>
      </div>
    </Dialog>
  )
}
