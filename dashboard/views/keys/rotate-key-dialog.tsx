import { useState } from 'preact/hooks'
import type { ListedKey, NewKey } from '../../../clients/typescript/src/types.ts'
import { Notice } from '../../components/feedback.tsx'
import { SelectField } from '../../components/field.tsx'
import { FormDialog } from '../../components/form.tsx'
import { defaultOverlap, overlapOptions } from '../../shell/overlaps.ts'
import { useClient } from '../../shell/shell-context.ts'
import { useAction } from '../../shell/use-action.ts'
import { ExpiryField, expiresAt, expiryFault, noExpiry } from './expiry-field.tsx'

const overlaps = [
  ...overlapOptions('it is revoked at once'),
  { value: '2592000', label: 'For 30 days' },
]

/** Replaces a key by a new one. */
export function RotateKeyDialog({
  listedKey: { keyId, label },
  isOwn,
  onRotated,
  onClose,
}: {
  listedKey: ListedKey
  /** Whether the user is signed in with this key. */
  isOwn: boolean
  onRotated: (key: NewKey) => void
  onClose: () => void
}) {
  const client = useClient()
  const [overlap, setOverlap] = useState(defaultOverlap)
  const [expiry, setExpiry] = useState(noExpiry)
  const [isChecked, setIsChecked] = useState(false)
  const fault = expiryFault(expiry, Date.now())
  const rotate = useAction(async () => {
    const end = expiresAt(expiry, Date.now())
    onRotated(await client.rotateKey({ keyId, overlapSeconds: Number(overlap), expiresAt: end }))
  })
  return (
    <FormDialog
      title="Rotate a key"
      action="Rotate"
      call={rotate}
      onSubmit={() => {
        setIsChecked(true)
        if (!fault) void rotate.run()
      }}
      onClose={onClose}
    >
      <p>
        You get a new key with the same scope in place of <bdi class="foreign">{label}</bdi>. Give
        it to everything that uses the old one, while both work.
        {isOwn && ' You are signed in with this key: this page continues with the new one.'}
      </p>
      <SelectField
        label="The old key still works"
        value={overlap}
        onValue={setOverlap}
        options={overlaps}
      />
      {overlap === '0' && (
        <Notice kind="warning">
          <p>Whatever uses the old key is refused from the next request on.</p>
        </Notice>
      )}
      <ExpiryField expiry={expiry} onExpiry={setExpiry} error={isChecked ? fault : undefined} />
    </FormDialog>
  )
}
