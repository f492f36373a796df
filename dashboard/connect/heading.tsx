import type { ComponentChildren } from 'preact'
import { useId, useLayoutEffect, useRef } from 'preact/hooks'
import { isolated } from '../components/foreign-text.tsx'
import { texts } from './texts.ts'

/** The heading of a view. It names the browser tab, and has the focus from the second view on. */
export function Heading({ title, children }: { title: string; children?: ComponentChildren }) {
  const heading = useRef<HTMLHeadingElement>(null)
  useLayoutEffect(() => {
    document.title = `${isolated(title)} · ${texts.brand}`
    if (isLater) heading.current?.focus()
    isLater = true
  }, [title])
  return (
    <header>
      <h1 ref={heading} tabIndex={-1}>
        <bdi class="foreign">{title}</bdi>
      </h1>
      {children && <p class="page-lead">{children}</p>}
    </header>
  )
}

/** Whether a view was shown before: a page that is loaded begins at its top. */
let isLater = false

/** A part of a view with a heading of its own. */
export function Card({ title, children }: { title: string; children: ComponentChildren }) {
  const id = useId()
  return (
    <section class="card connect-card stack is-tight" aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      {children}
    </section>
  )
}
