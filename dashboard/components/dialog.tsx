import type { ComponentChildren } from 'preact'
import { useEffect, useId, useRef } from 'preact/hooks'
import { Icon } from './icon.tsx'

/**
 * A dialog above the page. It is open as long as it is rendered: `onClose` is called for Escape and the button Close,
 * and should remove it. The browser keeps the focus inside, and returns it afterwards. With `isBlocking` it can only be
 * closed by its own actions.
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
    element?.showModal()
    return () => element?.close()
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
        <h2 id={titleId}>{title}</h2>
        {!isBlocking && (
          <button type="button" class="button is-quiet" onClick={onClose}>
            <Icon name="close" />
            <span class="visually-hidden">Close</span>
          </button>
        )}
      </div>
      {children}
    </dialog>
  )
}
