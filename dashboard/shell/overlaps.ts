/** How long an old secret goes on beside the new one, in seconds as texts, as a form offers it. `atOnce`: what happens without an overlap. */
export const overlapOptions = (atOnce: string) => [
  { value: '0', label: `Not at all: ${atOnce}` },
  { value: '3600', label: 'For an hour' },
  { value: defaultOverlap, label: 'For a day' },
  { value: '604800', label: 'For a week' },
]

/** The choice with which the form begins. */
export const defaultOverlap = '86400'
