import type { ComponentChildren } from 'preact'
import { useLayoutEffect, useRef } from 'preact/hooks'
import { wasNavigated } from '../shell/location.ts'
import { isolated } from './foreign-text.tsx'

/**
 * The heading of a view, with a short text and the main actions beside it. From the moment it is shown, it names the
 * browser tab, and after a navigation it has the focus, so that a screen reader begins with it.
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
  useLayoutEffect(() => {
    document.title = `${isolated(title)} · Player NFTs`
  }, [title])
  useLayoutEffect(() => {
    if (wasNavigated()) heading.current?.focus()
  }, [])
  return (
    <header class="page-heading spread">
      <div>
        <h1 ref={heading} tabIndex={-1}>
          <bdi>{title}</bdi>
        </h1>
        {children && <p class="page-lead">{children}</p>}
      </div>
      {actions && <div class="actions">{actions}</div>}
    </header>
  )
}
