import { type SearchedSection, searchIn, wordsOf } from './search-engine.ts'

/** How many results are shown. */
const most = 20

const dialog = document.querySelector('dialog') as HTMLDialogElement
const input = dialog.querySelector('input') as HTMLInputElement
const status = dialog.querySelector('p') as HTMLElement
const list = dialog.querySelector('ol') as HTMLElement
let find: ReturnType<typeof searchIn> | undefined

/** Opens the dialog of the search, which loads its index once. */
export function openSearch(index: string): void {
  if (!dialog.open) dialog.showModal()
  input.select()
  if (!find) void load(index)
}

async function load(index: string): Promise<void> {
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
  const number = found.length === 1 ? '1 result' : `${found.length} results`
  const shown = found.length > most ? `, of which these ${most} are the best` : ''
  status.textContent = query ? `${number}${shown}` : ''
}

function result({ page, heading, to, text }: SearchedSection, query: string): HTMLElement {
  const link = document.createElement('a')
  link.href = to
  const place = part('span', page === heading ? '' : ` · ${page}`)
  place.className = 'hint'
  link.append(part('strong', heading), place, excerpt(text, query))
  const item = document.createElement('li')
  item.append(link)
  return item
}

/** The text around the first word of the query, with its words marked. */
function excerpt(text: string, query: string): HTMLElement {
  const words = wordsOf(query).filter((word) => word.length > 2)
  const pattern = new RegExp(`(?<![\\p{L}\\p{N}])(${words.join('|') || '$^'})`, 'giu')
  const start = Math.max(0, text.search(pattern) - 60)
  const shown = `${start > 0 ? '…' : ''}${text.slice(start, start + 180)}${text.length > start + 180 ? '…' : ''}`
  const paragraph = part('p', '')
  paragraph.className = 'hint'
  for (const [index, piece] of shown.split(pattern).entries()) {
    paragraph.append(index % 2 === 1 ? part('mark', piece) : piece)
  }
  return paragraph
}

function part(name: string, text: string): HTMLElement {
  const element = document.createElement(name)
  element.textContent = text
  return element
}

input.addEventListener('input', show)
dialog.addEventListener('click', ({ target }) => {
  const isLink = target instanceof Element && target.closest('a, button')
  if (target === dialog || isLink) dialog.close()
})
dialog.addEventListener('keydown', (event) => {
  const links = [...list.querySelectorAll('a')]
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
  if (event.key === 'Enter' && event.target === input) links[0]?.click()
  if (step === undefined) return
  event.preventDefault()
  const stops = [input, ...links]
  stops[stops.indexOf(document.activeElement as HTMLElement as HTMLInputElement) + step]?.focus()
})
