import { useState } from 'preact/hooks'
import type { NewKey } from '../../../clients/typescript/src/types.ts'
import { TextField } from '../../components/field.tsx'
import { FormDialog } from '../../components/form.tsx'
import { describeError, fieldSentence } from '../../shell/describe-error.ts'
import { useClient } from '../../shell/shell-context.ts'
import { useAction } from '../../shell/use-action.ts'
import { useDraft } from '../../shell/use-draft.ts'
import { ExpiryField, expiresAt, expiryFault, noExpiry } from './expiry-field.tsx'

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

/** Creates a key. */
export function CreateKeyDialog({
  onCreated,
  onClose,
}: {
  onCreated: (key: NewKey) => void
  onClose: () => void
}) {
  const client = useClient()
  const [form, setForm, clearForm] = useDraft('create-key', emptyForm)
  const [isChecked, setIsChecked] = useState(false)
  const { label, scope, expiry } = form
  const faults = { label: labelFault(label), expiry: expiryFault(expiry, Date.now()) }
  const create = useAction(async () => {
    const end = expiresAt(expiry, Date.now())
    const key = await client.createKey({ label: label.trim(), scope, expiresAt: end })
    clearForm()
    onCreated(key)
  })
  const refused = create.error === undefined ? {} : describeError(create.error).fields
  return (
    <FormDialog
      title="Create a key"
      action="Create"
      call={create}
      onSubmit={() => {
        setIsChecked(true)
        if (!faults.label && !faults.expiry) void create.run()
      }}
      onClose={onClose}
    >
      <TextField
        label="Label"
        hint="Where the key is used, for example “Game servers”."
        value={label}
        onValue={(value) => setForm({ ...form, label: value })}
        error={(isChecked && faults.label) || fieldSentence(refused['label'])}
      />
      <fieldset class="choices stack is-close">
        <legend>Scope</legend>
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
        error={(isChecked && faults.expiry) || fieldSentence(refused['expiresAt'])}
      />
    </FormDialog>
  )
}

function labelFault(label: string): string | undefined {
  const length = [...label.trim()].length
  return length >= 2 && length <= 100 ? undefined : 'The label must be 2 to 100 characters long.'
}
