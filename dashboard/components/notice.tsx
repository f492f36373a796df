import type { ComponentChildren } from 'preact'
import { Icon } from './icon.tsx'

/** `error` is said by screen readers at once. */
type NoticeKind = 'info' | 'success' | 'warning' | 'error'

const icons = { info: 'info', success: 'check', warning: 'warning', error: 'warning' } as const

/** A message inside a view, with what to do about it as its children. */
export const Notice = ({
  kind = 'info',
  title,
  children,
}: {
  kind?: NoticeKind
  title?: ComponentChildren
  children?: ComponentChildren
}) => (
  <div class={`notice is-${kind}`} role={kind === 'error' ? 'alert' : undefined}>
    <Icon name={icons[kind]} />
    <div class="notice-body">
      {title && <p class="notice-title">{title}</p>}
      {children}
    </div>
  </div>
)
