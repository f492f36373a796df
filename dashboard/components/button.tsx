import type { ComponentChildren, ComponentProps } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { announce } from '../shell/announcer.tsx'
import { Icon } from './icon.tsx'

/** `primary` is the main action of a view, `danger` removes something, and `quiet` has no border. */
type ButtonKind = 'primary' | 'secondary' | 'danger' | 'quiet'

type ButtonProps = Omit<ComponentProps<'button'>, 'class' | 'children'> & {
  kind?: ButtonKind
  /** Shows that the action runs, and accepts no further click. The button keeps the focus. */
  isBusy?: boolean
  children: ComponentChildren
}

/** A button. It submits a form only with `type="submit"`. */
export function Button({
  kind = 'secondary',
  type = 'button',
  isBusy = false,
  onClick,
  children,
  ...rest
}: ButtonProps) {
  return (
    <button
      {...rest}
      type={type}
      class={`button is-${kind}${isBusy ? ' is-busy' : ''}`}
      aria-disabled={isBusy || undefined}
      onClick={(event) => {
        if (isBusy) event.preventDefault()
        else onClick?.(event)
      }}
    >
      {children}
    </button>
  )
}

/** The button ✕ of a dialog or a notice. */
export const CloseButton = ({ onClose }: { onClose: () => void }) => (
  <Button kind="quiet" onClick={onClose}>
    <Icon name="close" />
    <span class="visually-hidden">Close</span>
  </Button>
)

/** How long the button shows that it has copied, in milliseconds. */
const shownFor = 2_000

/**
 * Copies a text to the clipboard. `what` names the text for screen readers, for example "the API key", and with `isLabelled`
 * for everybody.
 */
export function CopyButton({
  text,
  what,
  isLabelled = false,
}: {
  text: string | (() => Promise<string>)
  what: string
  isLabelled?: boolean
}) {
  const [isCopied, setIsCopied] = useState(false)
  useEffect(() => {
    if (!isCopied) return
    const timer = setTimeout(() => setIsCopied(false), shownFor)
    return () => clearTimeout(timer)
  }, [isCopied])
  const copy = async () => {
    const copied = typeof text === 'string' ? text : await text().catch(() => undefined)
    if (copied === undefined) return announce('There is nothing to copy: try again.')
    try {
      await navigator.clipboard.writeText(copied)
      setIsCopied(true)
      announce('Copied.')
    } catch {
      announce('The browser does not permit copying: select the text and copy it.')
    }
  }
  return (
    <Button kind="quiet" onClick={() => void copy()}>
      <Icon name={isCopied ? 'check' : 'copy'} />
      <span class={isLabelled ? '' : 'visually-hidden'}>Copy {what}</span>
    </Button>
  )
}
