import { type SearchedSection, searchIn, wordsOf } from './search-engine.ts'

/** How many results are shown. */
const most = 20

const dialog = document.querySelector('dialog') as HTMLDialogElement
const input = dialog.querySelector('input') as HTMLInputElement
const status = dialog.querySelector('p') as HTMLElement
const list = dialog.querySelector('ol') as HTMLElement
let find: ReturnType<typeof searchIn> | undefined

/** Opens the dialog of the search, and loads its index if it is not there yet. */
export async function openSearch(index: string): Promise<void> {
  if (!dialog.open) dialog.showModal()
  input.select()
  if (find) return
  status.textContent = 'Loading…'
  try {
    const response = await fetch(index)
    find = searchIn((await response.json()) as SearchedSection[])
    show()
  } catch {
    status.textContent = 'The index could not be loaded. Open the search again.'
  }
}

function show(): void {
  const query = input.value.trim()
  const found = query && find ? find(query) : []
  list.replaceChildren(...found.slice(0, most).map((section) => result(section, query)))
  const shown = found.length > most ? `, of which these ${most} are the best` : ''
  status.textContent =
    query && `${found.length} ${found.length === 1 ? 'result' : 'results'}${shown}`
}

function result({ page, heading, to, text }: SearchedSection, query: string): HTMLElement {
  const link = element('a', 'nav-link')
  const place = page === heading ? '' : ` · ${page}`
  link.setAttribute('href', to)
  link.append(element('strong', '', heading), element('span', 'hint', place), excerpt(text, query))
  const item = element('li')
  item.append(link)
  return item
}

/** The text around the first word of the query, with its words marked. */
function excerpt(text: string, query: string): HTMLElement {
  const words = wordsOf(query).filter((word) => word.length > 2)
  const pattern = new RegExp(`(?<![\\p{L}\\p{N}])(${words.join('|') || '$^'})`, 'iu')
  const start = text.lastIndexOf(' ', Math.max(0, text.search(pattern) - 60)) + 1
  const end = text.indexOf(' ', start + 170)
  const shown = end === -1 ? text.slice(start) : `${text.slice(start, end)} …`
  const paragraph = element('p', 'hint', start > 0 ? '… ' : '')
  for (const [index, piece] of shown.split(pattern).entries()) {
    paragraph.append(index % 2 === 1 ? element('mark', '', piece) : piece)
  }
  return paragraph
}

function element(name: string, style = '', text = ''): HTMLElement {
  const made = document.createElement(name)
  made.className = style
  made.textContent = text
  return made
}

input.addEventListener('input', show)
dialog.addEventListener('click', ({ target }) => {
  if (target === dialog || (target as Element).closest('a, button')) dialog.close()
})
dialog.addEventListener('keydown', (event) => {
  const stops = [input, ...list.querySelectorAll('a')]
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
  if (event.key === 'Enter' && event.target === input) stops[1]?.click()
  if (step === undefined) return
  event.preventDefault()
  stops[stops.indexOf(document.activeElement as HTMLInputElement) + step]?.focus()
})
