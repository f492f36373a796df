import type { ComponentChildren } from 'preact'
import { useEffect, useId, useRef } from 'preact/hooks'
import { CloseButton } from './button.tsx'

/** Where typing can begin; without such a field, the button that closes without an effect. */
const firstFields =
  ':is(input:not([type="checkbox"], [type="radio"], [type="file"]), select, textarea), .actions .is-secondary'

/**
 * A dialog above the page. It is open as long as it is rendered: `onClose` is called for Escape and the button Close,
 * and should remove it. The focus begins in the first field, or at the button that changes nothing. The browser keeps it
 * inside. Afterwards, it is where it was before, or on the heading of the page if that is gone. With `isBlocking` it can
 * only be closed by its own actions.
 */
export function Dialog({
  title,
  onClose,
  isBlocking = false,
  isWide = false,
  children,
}: {
  title: string
  onClose: () => void
  isBlocking?: boolean
  isWide?: boolean
  children: ComponentChildren
}) {
  const dialog = useRef<HTMLDialogElement>(null)
  const titleId = useId()
  useEffect(() => {
    const element = dialog.current
    const opener = document.activeElement
    element?.showModal()
    element?.querySelector<HTMLElement>(firstFields)?.focus()
    return () => {
      element?.close()
      returnFocus(opener)
    }
  }, [])
  return (
    <dialog
      ref={dialog}
      class={`dialog${isWide ? ' is-wide' : ''}`}
      aria-labelledby={titleId}
      onCancel={(event) => {
        event.preventDefault()
        if (!isBlocking) onClose()
      }}
      onClose={() => {
        // Browsers close a dialog at the second Escape in a row, whatever it answers.
        if (isBlocking) dialog.current?.showModal()
      }}
    >
      <div class="dialog-heading">
        <h2 id={titleId}>
          <bdi>{title}</bdi>
        </h2>
        {!isBlocking && <CloseButton onClose={onClose} />}
      </div>
      {children}
    </dialog>
  )
}

/** Browsers return the focus only if a dialog is closed before it is removed. */
function returnFocus(opener: Element | null): void {
  const { activeElement, body } = document
  if (activeElement !== body) return
  const isThere = opener instanceof HTMLElement && opener !== body && opener.isConnected
  const place = isThere ? opener : document.querySelector('h1')
  place?.focus({ preventScroll: true })
}
