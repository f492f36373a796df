import { useEffect, useRef } from 'preact/hooks'
import { Button } from './button.tsx'
import { Icon } from './icon.tsx'

interface MenuItem {
  label: string
  isDanger?: boolean
  onChoose: () => void
}

/**
 * The actions of a view that are rarely needed, behind a button. It closes with Escape, with a click elsewhere and when
 * an action is chosen, and the button then has the focus.
 */
export function Menu({
  label,
  about,
  items,
}: {
  label: string
  /** What the actions are about, for screen readers, if the page has several menus. */
  about?: string
  items: readonly MenuItem[]
}) {
  const menu = useRef<HTMLDetailsElement>(null)
  const close = () => {
    menu.current?.removeAttribute('open')
    menu.current?.querySelector('summary')?.focus()
  }
  useEffect(() => {
    const closeFromOutside = ({ target }: Event) => {
      if (!menu.current?.contains(target as Node)) menu.current?.removeAttribute('open')
    }
    addEventListener('pointerdown', closeFromOutside)
    addEventListener('focusin', closeFromOutside)
    return () => {
      removeEventListener('pointerdown', closeFromOutside)
      removeEventListener('focusin', closeFromOutside)
    }
  }, [])
  return (
    <details
      ref={menu}
      class="menu"
      onKeyDown={({ key }) => {
        if (key === 'Escape') close()
      }}
    >
      <summary class="button is-secondary">
        {label}
        {about && <span class="visually-hidden"> about {about}</span>}
        <Icon name="chevron" />
      </summary>
      <div class="menu-items">
        {items.map(({ label: item, isDanger = false, onChoose }) => (
          <Button
            key={item}
            kind={isDanger ? 'danger' : 'quiet'}
            onClick={() => {
              close()
              onChoose()
            }}
          >
            {item}
          </Button>
        ))}
      </div>
    </details>
  )
}
