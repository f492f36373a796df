import { useState } from 'preact/hooks'
import type { ListedKey, NewKey } from '../../../clients/typescript/src/types.ts'
import { Notice } from '../../components/feedback.tsx'
import { TextField } from '../../components/field.tsx'
import { FormDialog, useForm } from '../../components/form.tsx'
import { defaultOverlap, OverlapField } from '../../components/overlap-field.tsx'
import { UtcDay } from '../../components/time.tsx'
import { describeError } from '../../shell/describe-error.ts'
import { useClient } from '../../shell/shell-context.ts'
import { useDraft } from '../../shell/use-draft.ts'
import { ExpiryField, expiresAt, expiryFault, noExpiry } from './expiry-field.tsx'

interface KeyDialogProps {
  listedKey: ListedKey
  /** Whether the user is signed in with this key. */
  isOwn: boolean
  onClose: () => void
}

const emptyForm = { label: '', scope: 'READ' as 'READ' | 'MANAGE', expiry: noExpiry }

const scopes = [
  {
    value: 'READ',
    label: 'Read',
    meaning: 'For game servers: reads the NFTs of players, and nothing else.',
  },
  {
    value: 'MANAGE',
    label: 'Manage',
    meaning: 'For your team: can change the game, its NFTs and its keys.',
  },
] as const

export function CreateKeyDialog({
  onCreated,
  onClose,
}: {
  onCreated: (key: NewKey) => void
  onClose: () => void
}) {
  const client = useClient()
  const [form, setForm, clearForm] = useDraft('create-key', emptyForm)
  const { label, scope, expiry } = form
  const create = useForm(
    async () => {
      const end = expiresAt(expiry, Date.now())
      const key = await client.createKey({ label: label.trim(), scope, expiresAt: end })
      clearForm()
      onCreated(key)
    },
    { label: labelFault(label), expiresAt: expiryFault(expiry, Date.now()) },
  )
  return (
    <FormDialog title="Create a key" action="Create" form={create} onClose={onClose}>
      <TextField
        label="Label"
        hint="Where the key is used, for example “Game servers”."
        value={label}
        onValue={(value) => setForm({ ...form, label: value })}
        error={create.faultOf('label')}
      />
      <fieldset class="stack is-close">
        <legend class="strong">Scope</legend>
        {scopes.map(({ value, label: name, meaning }) => (
          <label key={value} class="check">
            <input
              type="radio"
              name="scope"
              checked={scope === value}
              onChange={() => setForm({ ...form, scope: value })}
            />
            <span>
              {name}
              <span class="hint"> {meaning}</span>
            </span>
          </label>
        ))}
      </fieldset>
      <ExpiryField
        expiry={expiry}
        onExpiry={(value) => setForm({ ...form, expiry: value })}
        error={create.faultOf('expiresAt')}
      />
    </FormDialog>
  )
}

function labelFault(label: string): string | undefined {
  const length = [...label.trim()].length
  return length >= 2 && length <= 100 ? undefined : 'The label must be 2 to 100 characters long.'
}

export function RotateKeyDialog({
  listedKey: { keyId, label },
  isOwn,
  onRotated,
  onClose,
}: KeyDialogProps & { onRotated: (key: NewKey) => void }) {
  const client = useClient()
  const [overlap, setOverlap] = useState(defaultOverlap)
  const [expiry, setExpiry] = useState(noExpiry)
  const rotate = useForm(
    async () => {
      const end = expiresAt(expiry, Date.now())
      onRotated(await client.rotateKey({ keyId, overlapSeconds: Number(overlap), expiresAt: end }))
    },
    { expiresAt: expiryFault(expiry, Date.now()) },
  )
  return (
    <FormDialog title="Rotate a key" action="Rotate" form={rotate} onClose={onClose}>
      <p>
        You get a new key with the same scope in place of <bdi class="foreign">{label}</bdi>. Give
        it to everything that uses the old one, while both work.
        {isOwn && ' You are signed in with this key: this page continues with the new one.'}
      </p>
      <OverlapField
        label="The old key still works"
        without="it is revoked at once"
        warning="Whatever uses the old key is refused from the next request on."
        longest={[{ value: '2592000', label: 'For 30 days' }]}
        overlap={overlap}
        onOverlap={setOverlap}
      />
      <ExpiryField expiry={expiry} onExpiry={setExpiry} error={rotate.faultOf('expiresAt')} />
    </FormDialog>
  )
}

export function RevokeKeyDialog({
  listedKey: { keyId, label, last4, lastUsedOn },
  isOwn,
  onRevoked,
  onClose,
}: KeyDialogProps & { onRevoked: (key: ListedKey) => void }) {
  const client = useClient()
  const revoke = useForm(async () => onRevoked(await client.endKey({ keyId })))
  const isLast = describeError(revoke.error).code === 'last_key'
  return (
    <FormDialog
      title="Revoke this key?"
      action={isLast ? undefined : 'Revoke the key'}
      kind="danger"
      form={isLast ? { ...revoke, error: undefined } : revoke}
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
