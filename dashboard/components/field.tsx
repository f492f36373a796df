import type { ComponentChildren } from 'preact'
import { useId } from 'preact/hooks'

interface FieldFrame {
  label: string
  /** A sentence below the label that says what to enter. */
  hint?: ComponentChildren | undefined
  /** What is wrong with the value, from the form or from the API. */
  error?: string | undefined
  /** Whether the label says that the field can stay empty. */
  isOptional?: boolean | undefined
  /** Whether only screen readers have the label, because the control says what it is for. */
  isLabelHidden?: boolean | undefined
}

interface ControlOptions {
  name?: string
  type?: 'text' | 'password' | 'search' | 'date' | 'datetime-local'
  required?: boolean
  maxLength?: number
  rows?: number
  placeholder?: string
  inputMode?: 'email' | 'url'
  spellcheck?: boolean
  autocomplete?: 'off' | 'email' | 'organization' | 'url'
}

/** The attributes of a control, with those that connect it with its label, hint and error. */
interface Control extends Omit<ControlOptions, 'type'> {
  id: string
  'aria-describedby'?: string
  'aria-invalid'?: true
}

/** Connects a control with its label, hint and error, also for screen readers. */
export function Field({
  label,
  hint,
  error,
  isOptional = false,
  isLabelHidden = false,
  children,
  ...options
}: FieldFrame &
  Omit<ControlOptions, 'type'> & {
    children: (control: Control) => ComponentChildren
  }) {
  const id = useId()
  const described = [hint ? `${id}-hint` : '', error ? `${id}-error` : ''].filter(Boolean).join(' ')
  return (
    <div class={`field${error ? ' has-error' : ''}`}>
      <label class={isLabelHidden ? 'visually-hidden' : 'strong'} for={id}>
        {label}
        {isOptional && <span class="soft"> (optional)</span>}
      </label>
      {hint && (
        <p class="hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
      {children({
        ...options,
        id,
        ...(described && { 'aria-describedby': described }),
        ...(error && { 'aria-invalid': true }),
      })}
      {error && (
        <p class="field-error" id={`${id}-error`}>
          {error}
        </p>
      )}
    </div>
  )
}

interface FieldProps extends FieldFrame, ControlOptions {
  value: string
  onValue: (value: string) => void
}

/** A field for one line of text. That of a search says in its placeholder what it finds. */
export const TextField = ({ value, onValue, type = 'text', ...rest }: FieldProps) => (
  <Field autocomplete="off" {...rest} isLabelHidden={type === 'search'}>
    {(control) => (
      <input
        {...control}
        // The types of Preact have one variant for each type of input, and this one has all their attributes.
        type={type as 'text'}
        class="input"
        value={value}
        onInput={(event) => onValue(event.currentTarget.value)}
      />
    )}
  </Field>
)

export const TextArea = ({ value, onValue, ...rest }: Omit<FieldProps, 'type'>) => (
  <Field rows={3} {...rest}>
    {(control) => (
      <textarea
        {...control}
        class="input"
        value={value}
        onInput={(event) => onValue(event.currentTarget.value)}
      />
    )}
  </Field>
)

export const SelectField = ({
  value,
  onValue,
  options,
  ...rest
}: Omit<FieldProps, 'type'> & { options: readonly { value: string; label: string }[] }) => (
  <Field {...rest}>
    {(control) => (
      <select
        {...control}
        class="input"
        value={value}
        onChange={(event) => onValue(event.currentTarget.value)}
      >
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.label}
          </option>
        ))}
      </select>
    )}
  </Field>
)

export const CheckField = ({
  isChecked,
  onChecked,
  isDisabled = false,
  children,
}: {
  isChecked: boolean
  onChecked: (isChecked: boolean) => void
  isDisabled?: boolean
  children: ComponentChildren
}) => (
  <label class="check">
    <input
      type="checkbox"
      checked={isChecked}
      disabled={isDisabled}
      onChange={(event) => onChecked(event.currentTarget.checked)}
    />
    <span>{children}</span>
  </label>
)
