import type { ComponentChildren } from 'preact'

/** A name and its value in a list of facts. With `isWide`, it has a line of its own. */
export const Fact = ({
  name,
  isWide = false,
  children,
}: {
  name: string
  isWide?: boolean
  children: ComponentChildren
}) => (
  <div class={isWide ? 'is-wide' : undefined}>
    <dt class="hint">{name}</dt>
    <dd>{children}</dd>
  </div>
)
