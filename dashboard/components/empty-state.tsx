import type { ComponentChildren } from 'preact'

/** What a list shows while it has no entries: why, and the first thing to do. */
export const EmptyState = ({
  title,
  children,
  actions,
  more,
}: {
  title: string
  children?: ComponentChildren
  actions?: ComponentChildren
  /** What comes below the actions. */
  more?: ComponentChildren
}) => (
  <div class="empty-state">
    <h2>{title}</h2>
    {children && <p>{children}</p>}
    {actions && <div class="actions">{actions}</div>}
    {more}
  </div>
)
