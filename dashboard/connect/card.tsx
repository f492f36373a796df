import type { ComponentChildren } from 'preact'
import { useId } from 'preact/hooks'

/** A part of a view with a heading of its own. */
export function Card({ title, children }: { title: string; children: ComponentChildren }) {
  const id = useId()
  return (
    <section class="card connect-card" aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      {children}
    </section>
  )
}
