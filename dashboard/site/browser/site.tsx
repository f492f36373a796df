import { render } from 'preact'
import { useLayoutEffect, useState } from 'preact/hooks'
import { Button, CopyButton } from '../../components/button.tsx'
import { Announcer, announce } from '../../shell/announcer.tsx'
import { ThemeSwitch } from '../../shell/theme-switch.tsx'

// What a page has with scripts only.

for (const place of document.querySelectorAll('.copy')) {
  const code = `${place.nextElementSibling?.textContent}`
  render(<CopyButton text={code} what="code" />, place)
}

// Only what scrolls is worth a stop of the Tab key.
const observer = new ResizeObserver((entries) => {
  for (const { target } of entries) {
    const isScrolling = target.scrollWidth > target.clientWidth
    target.setAttribute('tabindex', isScrolling ? '0' : '-1')
  }
})
for (const scroller of document.querySelectorAll('.scroller')) observer.observe(scroller)

// The lists are beside the page, or they open above it.
const pages = document.querySelector<HTMLElement>('#site-pages')
const contents = document.querySelector<HTMLDetailsElement>('.contents details')
const isWide = matchMedia('(min-width: 1200px)')
const arrange = () => {
  if (pages?.matches(':popover-open')) pages.hidePopover()
  if (contents) contents.open = isWide.matches
}
isWide.addEventListener('change', arrange)
arrange()
const current = pages?.querySelector<HTMLElement>('[aria-current]')
if (pages && current) pages.scrollTop = current.offsetTop - pages.clientHeight / 2

/** The button of the search, whose dialog and index are loaded when it is used first. */
function Search() {
  const [dialog, setDialog] = useState<typeof import('./search.tsx')>()
  const open = () =>
    import('./search.tsx').then(setDialog, () => announce('The search could not be loaded.'))
  useLayoutEffect(() => {
    document.addEventListener('keydown', (event) => {
      if (event.key.toLowerCase() !== 'k' || !(event.ctrlKey || event.metaKey)) return
      event.preventDefault()
      void open()
    })
  }, [])
  return (
    <>
      <Button onClick={open}>
        Search <kbd class="badge">Ctrl K</kbd>
      </Button>
      {dialog && <dialog.SearchDialog onClose={() => setDialog(undefined)} />}
    </>
  )
}

const parts = { theme: ThemeSwitch, announcements: Announcer, search: Search }
for (const [name, Part] of Object.entries(parts)) {
  render(<Part />, document.querySelector(`.${name}`) as Element)
}
