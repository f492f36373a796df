import { useState } from 'preact/hooks'
import type { ListedKey } from '../../../clients/typescript/src/types.ts'
import { Button } from '../../components/button.tsx'
import { SelectField, TextField } from '../../components/field.tsx'
import { setQuery } from '../../shell/location.ts'
import { type EventFilter, names, operator } from './event-filter.ts'
import { actionLabel, keyNames, knownActions } from './sentences.ts'

const any = { value: '', label: 'All' }

const outcomes = [
  any,
  { value: 'done', label: 'Done' },
  { value: 'failed', label: 'Failed' },
  { value: 'unknown', label: 'Not known' },
]

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
  const set = (name: keyof EventFilter) => (value: string) => setQuery({ [name]: value })
  // Each letter would be an entry of the history.
  const type = (name: keyof EventFilter) => (value: string) =>
    setQuery({ [name]: value }, { replace: true })
  const count = Object.keys(filter).length
  return (
    <details open={isOpen} onToggle={(event) => setIsOpen(event.currentTarget.open)}>
      <summary class="button">Filter{count > 0 && ` (${count})`}</summary>
      <search class="event-filters columns">
        <SelectField
          label="Action"
          value={filter.action ?? ''}
          onValue={set('action')}
          options={withChosen(
            [any, ...knownActions.map((action) => ({ value: action, label: actionLabel(action) }))],
            filter.action,
          )}
        />
        <SelectField
          label="Key"
          value={filter.key ?? ''}
          onValue={set('key')}
          options={withChosen(
            [
              any,
              ...keys.map(({ keyId }) => ({ value: keyId, label: nameOf(keyId) })),
              { value: operator, label: 'Operator of the service' },
            ],
            filter.key,
          )}
        />
        <SelectField
          label="Outcome"
          value={filter.outcome ?? ''}
          onValue={set('outcome')}
          options={withChosen(outcomes, filter.outcome)}
        />
        <TextField
          label="Contract"
          placeholder="0x…"
          spellcheck={false}
          value={filter.contract ?? ''}
          onValue={type('contract')}
        />
        <TextField
          label="From (UTC)"
          type="date"
          value={filter.from ?? ''}
          onValue={type('from')}
        />
        <TextField label="To (UTC)" type="date" value={filter.to ?? ''} onValue={type('to')} />
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
const withChosen = (
  options: readonly { value: string; label: string }[],
  chosen: string | undefined,
) =>
  chosen === undefined || options.some(({ value }) => value === chosen)
    ? options
    : [...options, { value: chosen, label: chosen }]
