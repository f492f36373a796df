import { SelectField, TextField } from '../../components/field.tsx'
import { type Expiry, expiryOptions } from './expiry.ts'

/** The field for the end of a new key. */
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
