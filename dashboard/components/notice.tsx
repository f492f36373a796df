import type { ComponentChildren } from 'preact'
import { Icon } from './icon.tsx'

/** `error` is said by screen readers at once. */
type NoticeKind = 'info' | 'success' | 'warning' | 'error'

const icons = { info: 'info', success: 'check', warning: 'warning', error: 'warning' } as const

/** A message inside a view, with what to do about it as its children. */
export const Notice = ({
  kind = 'info',
  title,
  onClose,
  children,
}: {
  kind?: NoticeKind
  title?: ComponentChildren
  /** Is called by the button ✕, which is absent without it. */
  onClose?: (() => void) | undefined
  children?: ComponentChildren
}) => (
  <div class={`notice is-${kind}`} role={kind === 'error' ? 'alert' : undefined}>
    <Icon name={icons[kind]} />
    <div class="notice-body">
      {title && <p class="notice-title">{title}</p>}
      {children}
    </div>
    {onClose && (
      <button type="button" class="button is-quiet notice-close" onClick={onClose}>
        <Icon name="close" />
        <span class="visually-hidden">Close</span>
      </button>
    )}
  </div>
)
