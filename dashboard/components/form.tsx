import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { describeError, fieldSentence } from '../shell/describe-error.ts'
import { useAction } from '../shell/use-action.ts'
import { Button } from './button.tsx'
import { Dialog } from './dialog.tsx'
import { Failure } from './feedback.tsx'

interface FormProps {
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

/**
 * The action of a form. It starts with `submit`, unless `faults`, by the names of the fields, has a sentence. `faultOf` is what is
 * wrong with a field: these sentences from the first attempt on, and then what the API says.
 */
export function useForm(
  act: (signal: AbortSignal) => Promise<void>,
  faults: Readonly<Record<string, string | undefined>> = {},
) {
  const [isChecked, setIsChecked] = useState(false)
  const { run, ...action } = useAction(act)
  const refused = describeError(action.error).fields
  return {
    ...action,
    submit() {
      setIsChecked(true)
      if (!Object.values(faults).some(Boolean)) void run()
    },
    faultOf: (name: string): string | undefined =>
      (isChecked ? faults[name] : undefined) ?? fieldSentence(refused[name]),
  }
}

interface ActionFormProps extends Pick<FormProps, 'layout' | 'children'> {
  form: Pick<ReturnType<typeof useForm>, 'submit' | 'isRunning' | 'error'>
  /** What the button says; without it, there is none. */
  action: string | undefined
  kind?: 'primary' | 'danger'
  isDisabled?: boolean
  more?: ComponentChildren
  /** What takes the place of the buttons, while there is something. */
  progress?: ComponentChildren
}

/** A form with the button of its action. It says why the action has failed. */
export const ActionForm = ({
  form: { submit, isRunning, error },
  action,
  kind = 'primary',
  isDisabled = false,
  more,
  progress,
  children,
  ...rest
}: ActionFormProps) => (
  <Form {...rest} onSubmit={submit}>
    {children}
    <Failure error={error} />
    {progress ?? (
      <div class="actions">
        {action && (
          <Button kind={kind} type="submit" isBusy={isRunning} disabled={isDisabled}>
            {action}
          </Button>
        )}
        {more}
      </div>
    )}
  </Form>
)

/** A dialog with a form, or with a question, whose action makes a call. It stays open if that fails. */
export const FormDialog = ({
  title,
  isWide = false,
  onClose,
  ...form
}: ActionFormProps & { title: string; isWide?: boolean; onClose: () => void }) => (
  <Dialog title={title} onClose={onClose} isWide={isWide}>
    <ActionForm
      {...form}
      more={<Button onClick={onClose}>{form.action ? 'Cancel' : 'Close'}</Button>}
    />
  </Dialog>
)
