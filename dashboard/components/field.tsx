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

/** Connects a control with its label, hint and error, also for screen readers. */
export function Field({
  label,
  hint,
  error,
  isOptional = false,
  isLabelHidden = false,
  children,
}: FieldFrame & {
  /** Renders the control with these attributes. */
  children: (control: ControlAttributes) => ComponentChildren
}) {
  const id = useId()
  const described = [hint ? `${id}-hint` : '', error ? `${id}-error` : ''].filter(Boolean).join(' ')
  return (
    <div class={`field${error ? ' has-error' : ''}`}>
      <label class={isLabelHidden ? 'visually-hidden' : 'field-label'} for={id}>
        {label}
        {isOptional && <span class="field-optional"> (optional)</span>}
      </label>
      {hint && (
        <p class="hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
      {children({
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

/** The attributes that connect a control with its label, hint and error. */
interface ControlAttributes {
  id: string
  'aria-describedby'?: string
  'aria-invalid'?: true
}

interface TextValue {
  value: string
  onValue: (value: string) => void
}

/** The attributes of HTML that a field passes on to its control. */
interface ControlOptions {
  name?: string
  type?: 'text' | 'password' | 'search' | 'email' | 'url' | 'number' | 'date' | 'datetime-local'
  required?: boolean
  disabled?: boolean
  maxLength?: number
  min?: string | number
  max?: string | number
  rows?: number
  placeholder?: string
  inputMode?: 'text' | 'numeric' | 'email' | 'url'
  spellcheck?: boolean
  autocomplete?: 'off' | 'email' | 'organization' | 'url'
}

/** A field for one line of text. That of a search says in its placeholder what it finds. */
export const TextField = ({
  label,
  hint,
  error,
  isOptional,
  value,
  onValue,
  type = 'text',
  ...rest
}: FieldFrame & TextValue & ControlOptions) => (
  <Field {...{ label, hint, error, isOptional }} isLabelHidden={type === 'search'}>
    {(control) => (
      <input
        // The types of Preact have one variant for each type of input, and this one has all their attributes.
        type={type as 'text'}
        autocomplete="off"
        {...rest}
        {...control}
        class="input"
        value={value}
        onInput={(event) => onValue(event.currentTarget.value)}
      />
    )}
  </Field>
)

/** A field for several lines of text. */
export const TextArea = ({
  label,
  hint,
  error,
  isOptional,
  value,
  onValue,
  ...rest
}: FieldFrame & TextValue & Omit<ControlOptions, 'type' | 'min' | 'max'>) => (
  <Field {...{ label, hint, error, isOptional }}>
    {(control) => (
      <textarea
        rows={3}
        {...rest}
        {...control}
        class="input"
        value={value}
        onInput={(event) => onValue(event.currentTarget.value)}
      />
    )}
  </Field>
)

/** A field for one of a few values. */
export const SelectField = ({
  label,
  hint,
  error,
  isOptional,
  value,
  onValue,
  options,
  ...rest
}: FieldFrame &
  TextValue & { options: readonly { value: string; label: string }[] } & Pick<
    ControlOptions,
    'name' | 'required' | 'disabled'
  >) => (
  <Field {...{ label, hint, error, isOptional }}>
    {(control) => (
      <select
        {...rest}
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
