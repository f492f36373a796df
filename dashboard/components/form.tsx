import type { ComponentChildren } from 'preact'

/** A form whose fields say what is wrong with them, in place of the browser, and which never leaves the page. */
export const Form = ({
  layout = 'form',
  onSubmit,
  children,
}: {
  /** The classes of the form. */
  layout?: string
  onSubmit: () => void
  children: ComponentChildren
}) => (
  <form
    class={layout}
    noValidate
    onSubmit={(event) => {
      event.preventDefault()
      onSubmit()
    }}
  >
    {children}
  </form>
)
