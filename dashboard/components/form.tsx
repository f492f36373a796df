import type { ComponentChildren } from 'preact'
import { Button } from './button.tsx'
import { Dialog } from './dialog.tsx'
import { Failure } from './feedback.tsx'

interface FormProps {
  /** The classes of the form. */
  layout?: string
  onSubmit: () => void
  children: ComponentChildren
}

/** A form whose fields say what is wrong with them, in place of the browser, and which never leaves the page. */
export const Form = ({ layout = 'form', onSubmit, children }: FormProps) => (
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

/** A dialog with a form, or with a question, whose action makes a call. It stays open, and says why, if that fails. */
export const FormDialog = ({
  title,
  action,
  kind = 'primary',
  call,
  isDisabled = false,
  isWide = false,
  onClose,
  children,
  ...form
}: FormProps & {
  title: string
  /** What the button says; without it, the dialog can only be closed. */
  action: string | undefined
  kind?: 'primary' | 'danger'
  call: { isRunning: boolean; error: unknown }
  isDisabled?: boolean
  isWide?: boolean
  onClose: () => void
}) => (
  <Dialog title={title} onClose={onClose} isWide={isWide}>
    <Form {...form}>
      {children}
      {call.error !== undefined && <Failure error={call.error} />}
      <div class="actions">
        {action && (
          <Button kind={kind} type="submit" isBusy={call.isRunning} disabled={isDisabled}>
            {action}
          </Button>
        )}
        <Button onClick={onClose}>{action ? 'Cancel' : 'Close'}</Button>
      </div>
    </Form>
  </Dialog>
)
