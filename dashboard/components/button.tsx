import type { ComponentChildren, ComponentProps } from 'preact'

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
