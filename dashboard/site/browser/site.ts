import { chooseTheme, chosenTheme, type Theme } from '../../shell/theme.ts'

// What a page can do with scripts before the search opens. Without them, all of it is hidden.

const theme = document.querySelector<HTMLElement>('.theme')
const choice = theme?.querySelector('select')
if (theme && choice) {
  theme.hidden = false
  choice.value = chosenTheme()
  choice.addEventListener('change', () => chooseTheme(choice.value as Theme))
}

for (const block of document.querySelectorAll('.code')) {
  const button = document.createElement('button')
  button.className = 'button copy'
  button.textContent = 'Copy'
  button.addEventListener('click', async () => {
    await navigator.clipboard.writeText(block.querySelector('code')?.textContent ?? '')
    button.textContent = 'Copied'
    setTimeout(() => button.replaceChildren('Copy'), 2_000)
  })
  block.append(button)
}

// Only what scrolls is worth a stop of the Tab key.
const observer = new ResizeObserver((entries) => {
  for (const { target } of entries) {
    if (target.scrollWidth > target.clientWidth) target.setAttribute('tabindex', '0')
    else target.removeAttribute('tabindex')
  }
})
for (const scroller of document.querySelectorAll('.scroller')) observer.observe(scroller)

// A link within the page closes the list that it stands in.
document.querySelector('#site-contents')?.addEventListener('click', ({ target, currentTarget }) => {
  const list = currentTarget as HTMLElement
  if ((target as Element).matches('a') && list.matches(':popover-open')) list.hidePopover()
})

const searchButton = document.querySelector<HTMLButtonElement>('[data-index]')

async function search(): Promise<void> {
  const { openSearch } = await import('./search.ts')
  await openSearch(searchButton?.dataset['index'] ?? '')
}

if (searchButton) searchButton.hidden = false
searchButton?.addEventListener('click', search)
document.addEventListener('keydown', (event) => {
  const isTyping = (event.target as Element).matches('input, select, textarea')
  const isShortcut = event.key === 'k' && (event.ctrlKey || event.metaKey)
  if (!isShortcut && (event.key !== '/' || isTyping)) return
  event.preventDefault()
  void search()
})
