import { Notice } from './feedback.tsx'
import { SelectField } from './field.tsx'

/** The overlap with which a form begins. */
export const defaultOverlap = '86400'

/** How long an old secret goes on beside the new one, in seconds as a text. */
export const OverlapField = ({
  label,
  without,
  warning,
  longest = [],
  overlap,
  onOverlap,
}: {
  label: string
  /** What happens without an overlap. */
  without: string
  /** What else to know of a choice without an overlap. */
  warning: string
  longest?: readonly { value: string; label: string }[]
  overlap: string
  onOverlap: (overlap: string) => void
}) => (
  <>
    <SelectField
      label={label}
      value={overlap}
      onValue={onOverlap}
      options={[
        { value: '0', label: `Not at all: ${without}` },
        { value: '3600', label: 'For an hour' },
        { value: defaultOverlap, label: 'For a day' },
        { value: '604800', label: 'For a week' },
        ...longest,
      ]}
    />
    {overlap === '0' && (
      <Notice kind="warning">
        <p>{warning}</p>
      </Notice>
    )}
  </>
)
