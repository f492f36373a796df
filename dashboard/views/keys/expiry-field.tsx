import { SelectField, TextField } from '../../components/field.tsx'

const expiryOptions = [
  { value: '', label: 'Never' },
  { value: '30', label: 'After 30 days' },
  { value: '90', label: 'After 90 days' },
  { value: '365', label: 'After a year' },
  { value: 'date', label: 'On a day…' },
] as const

/** A key without an end: the choice, and the day `yyyy-mm-dd` that belongs to `date`. */
export const noExpiry = { choice: '', day: '' }

type Expiry = typeof noExpiry

const dayMs = 86_400_000

/**
 * Returns the time at which a key ends (RFC 3339): a number of days after `now`, or the end of the day in the time zone of
 * the user. `undefined` for a key without an end. `now`: milliseconds since 1970.
 */
export function expiresAt({ choice, day }: Expiry, now: number): string | undefined {
  if (choice === '') return undefined
  if (choice !== 'date') return new Date(now + Number(choice) * dayMs).toISOString()
  return new Date(`${day}T23:59:59`).toISOString()
}

export function expiryFault({ choice, day }: Expiry, now: number): string | undefined {
  if (choice !== 'date') return undefined
  const time = Date.parse(`${day}T23:59:59`)
  if (Number.isNaN(time)) return 'Choose a day.'
  return time > now ? undefined : 'The day must be in the future.'
}

export const ExpiryField = ({
  expiry,
  onExpiry,
  error,
}: {
  expiry: Expiry
  onExpiry: (expiry: Expiry) => void
  error: string | undefined
}) => (
  <>
    <SelectField
      label="The key expires"
      value={expiry.choice}
      onValue={(choice) => onExpiry({ ...expiry, choice })}
      options={expiryOptions}
      error={expiry.choice === 'date' ? undefined : error}
    />
    {expiry.choice === 'date' && (
      <TextField
        label="Last day"
        type="date"
        value={expiry.day}
        onValue={(day) => onExpiry({ ...expiry, day })}
        error={error}
      />
    )}
  </>
)
