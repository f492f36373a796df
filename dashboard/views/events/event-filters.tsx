import { useState } from 'preact/hooks'
import type { ListedKey } from '../../../clients/typescript/src/types.ts'
import { Button } from '../../components/button.tsx'
import { SelectField, TextField } from '../../components/field.tsx'
import { setQuery } from '../../shell/location.ts'
import { type EventFilter, names, operator } from './event-filter.ts'
import { actionLabel, keyNames, knownActions } from './sentences.ts'

const any = { value: '', label: 'All' }

const outcomes = [
  { value: 'done', label: 'Done' },
  { value: 'failed', label: 'Failed' },
  { value: 'unknown', label: 'Not known' },
]

const actions = knownActions.map((action) => ({ value: action, label: actionLabel(action) }))

/** The fields of the filter. Their values are in the address of the page, so that links and Back work. */
export function EventFilters({
  filter,
  keys,
}: {
  filter: EventFilter
  keys: readonly ListedKey[]
}) {
  // A filter that the address names is visible.
  const [isOpen, setIsOpen] = useState(Object.keys(filter).length > 0)
  const nameOf = keyNames(keys)
  const choice = (name: keyof EventFilter, options: typeof outcomes) => ({
    value: filter[name] ?? '',
    onValue: (value: string) => setQuery({ [name]: value }),
    options: [any, ...withChosen(options, filter[name])],
  })
  const text = (name: keyof EventFilter) => ({
    value: filter[name] ?? '',
    // Each letter would be an entry of the history.
    onValue: (value: string) => setQuery({ [name]: value }, { replace: true }),
  })
  const makers = [
    ...keys.map(({ keyId }) => ({ value: keyId, label: nameOf(keyId) })),
    { value: operator, label: 'Operator of the service' },
  ]
  const count = Object.keys(filter).length
  return (
    <details open={isOpen} onToggle={(event) => setIsOpen(event.currentTarget.open)}>
      <summary class="button">Filter{count > 0 && ` (${count})`}</summary>
      <search class="event-filters columns">
        <SelectField label="Action" {...choice('action', actions)} />
        <SelectField label="Key" {...choice('key', makers)} />
        <SelectField label="Outcome" {...choice('outcome', outcomes)} />
        <TextField label="Contract" placeholder="0x…" spellcheck={false} {...text('contract')} />
        <TextField label="From (UTC)" type="date" {...text('from')} />
        <TextField label="To (UTC)" type="date" {...text('to')} />
        {count > 0 && (
          <Button kind="quiet" onClick={clear}>
            Clear filters
          </Button>
        )}
      </search>
    </details>
  )
}

const clear = () => setQuery(Object.fromEntries(names.map((name) => [name, undefined])))

/** The options, with a value that is chosen by the address but is none of them, such as the id of an old key. */
const withChosen = (options: typeof outcomes, chosen: string | undefined) =>
  chosen === undefined || options.some(({ value }) => value === chosen)
    ? options
    : [...options, { value: chosen, label: chosen }]
