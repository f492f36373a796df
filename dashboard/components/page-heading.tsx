import type { ComponentChildren } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { wasNavigated } from '../shell/location.ts'

/**
 * The heading of a view, with a short text and the main actions beside it. It names the browser tab, and takes the focus
 * after a navigation, so that a screen reader begins with it.
 */
export function PageHeading({
  title,
  children,
  actions,
}: {
  title: string
  children?: ComponentChildren
  actions?: ComponentChildren
}) {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    document.title = `${title} · Player NFTs`
  }, [title])
  useEffect(() => {
    if (wasNavigated()) heading.current?.focus()
  }, [])
  return (
    <header class="page-heading">
      <div>
        <h1 ref={heading} tabIndex={-1}>
          {title}
        </h1>
        {children && <p class="page-lead">{children}</p>}
      </div>
      {actions && <div class="actions">{actions}</div>}
    </header>
  )
}
