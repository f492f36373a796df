import { useState } from 'preact/hooks'
import { Dialog } from '../../components/dialog.tsx'
import { useLoad } from '../../shell/use-load.ts'
import { type SearchedSection, searchIn, termsOf } from './search-engine.ts'

const most = 20

const failed = 'The index could not be loaded. Open the search again.'

async function loadIndex() {
  const response = await fetch('search.json')
  if (!response.ok) throw new Error(`HTTP ${response.status}`)
  return searchIn((await response.json()) as SearchedSection[])
}

/** Finds sections while words are typed. Enter leads to the best one. */
export function SearchDialog({ onClose }: { onClose: () => void }) {
  const { data: find, error } = useLoad(loadIndex, [])
  const [query, setQuery] = useState('')
  const found = find?.(query) ?? []
  return (
    <Dialog title="Search the docs" onClose={onClose} isWide>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          event.currentTarget.parentElement?.querySelector('a')?.click()
        }}
      >
        <input
          class="input"
          aria-label="Words, a code, a command"
          placeholder="Words, a code, a command"
          autocomplete="off"
          onInput={(event) => setQuery(event.currentTarget.value.trim())}
        />
      </form>
      <p class="hint" role="status">
        {find ? countOf(found, query) : error ? failed : 'Loading…'}
      </p>
      <ol class="results">
        {found.slice(0, most).map((section) => (
          <li key={section.to}>
            <a class="nav-link" href={section.to} onClick={onClose}>
              <strong>{section.heading}</strong>
              {section.page !== section.heading && <span class="hint"> · {section.page}</span>}
              <Excerpt text={section.text} query={query} />
            </a>
          </li>
        ))}
      </ol>
    </Dialog>
  )
}

function countOf({ length }: readonly unknown[], query: string): string {
  if (query === '') return ''
  const shown = length > most ? `, of which these ${most} are the best` : ''
  return `${length} ${length === 1 ? 'result' : 'results'}${shown}`
}

/** The text around the first word of the query, with its words marked. */
function Excerpt({ text, query }: { text: string; query: string }) {
  const pattern = new RegExp(
    `(?<![\\p{L}\\p{N}])((?:${termsOf(query).join('|') || '$^'})[\\p{L}\\p{N}]*)`,
    'iu',
  )
  const start = text.lastIndexOf(' ', Math.max(0, text.search(pattern) - 60)) + 1
  const end = text.indexOf(' ', start + 160)
  const pieces = text.slice(start, end < 0 ? undefined : end).split(pattern)
  return (
    <p class="hint">
      {start > 0 && '… '}
      {pieces.map((piece, index) => (index % 2 === 1 ? <mark key={index}>{piece}</mark> : piece))}
      {end > 0 && ' …'}
    </p>
  )
}
