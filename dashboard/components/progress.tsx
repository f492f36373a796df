/**
 * Shows that something is under way. With `value` and `max` it shows how much is done; without them only that it goes
 * on. The label says what happens, also to screen readers.
 */
export const Progress = ({
  label,
  value,
  max,
}: {
  label: string
  value?: number
  max?: number
}) => (
  <div class="progress">
    <p class="progress-label" role="status">
      {value === undefined && <span class="spinner" aria-hidden="true" />}
      {label}
    </p>
    {value !== undefined && <progress aria-label={label} value={value} max={max ?? 1} />}
  </div>
)
