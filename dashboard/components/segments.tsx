import { useId } from 'preact/hooks'

/** A switch between a few values that are all visible. `hasVisibleLabel` shows the label as that of a field. */
export function Segments<Value extends string | number>({
  label,
  hasVisibleLabel = false,
  value,
  options,
  onValue,
}: {
  label: string
  hasVisibleLabel?: boolean
  value: Value
  options: readonly { value: Value; label: string }[]
  onValue: (value: Value) => void
}) {
  const name = useId()
  return (
    <fieldset class={hasVisibleLabel ? 'field' : undefined}>
      <legend class={hasVisibleLabel ? 'strong' : 'visually-hidden'}>{label}</legend>
      <div class="segments">
        {options.map((option) => (
          <label key={option.value} class="segment">
            <input
              type="radio"
              name={name}
              class="visually-hidden"
              checked={option.value === value}
              onChange={() => onValue(option.value)}
            />
            <span>{option.label}</span>
          </label>
        ))}
      </div>
    </fieldset>
  )
}
