import type { ListedKey } from '../../../clients/typescript/src/types.ts'
import { Notice } from '../../components/feedback.tsx'
import { FormDialog } from '../../components/form.tsx'
import { UtcDay } from '../../components/time.tsx'
import { describeError } from '../../shell/describe-error.ts'
import { useClient } from '../../shell/shell-context.ts'
import { useAction } from '../../shell/use-action.ts'

/** Revokes a key, after saying what that means. */
export function RevokeKeyDialog({
  listedKey: { keyId, label, last4, lastUsedOn },
  isOwn,
  onRevoked,
  onClose,
}: {
  listedKey: ListedKey
  /** Whether the user is signed in with this key. */
  isOwn: boolean
  onRevoked: (key: ListedKey) => void
  onClose: () => void
}) {
  const client = useClient()
  const revoke = useAction(async () => onRevoked(await client.endKey({ keyId })))
  const isLast = describeError(revoke.error).code === 'last_key'
  return (
    <FormDialog
      title="Revoke this key?"
      action={isLast ? undefined : 'Revoke the key'}
      kind="danger"
      call={isLast ? { ...revoke, error: undefined } : revoke}
      onSubmit={() => void revoke.run()}
      onClose={onClose}
    >
      <p>
        <bdi class="foreign">{label}</bdi> <code>…{last4}</code> stops working with the next
        request, everywhere. This cannot be undone.
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
      {isLast && (
        <Notice kind="error" title="This key cannot be revoked.">
          <p>
            It is the last one that can manage the game and does not expire. Create another key with
            the scope Manage first, or rotate this one.
          </p>
        </Notice>
      )}
    </FormDialog>
  )
}
