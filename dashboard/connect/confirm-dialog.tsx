import type { ComponentChildren } from 'preact'
import { Button } from '../components/button.tsx'
import { Dialog } from '../components/dialog.tsx'
import { useAction } from '../shell/use-action.ts'
import { texts } from './texts.ts'
import { Trouble } from './trouble.tsx'

/** Asks before something that cannot be undone. It stays open, and says why, if that fails. */
export function ConfirmDialog({
  title,
  action,
  onConfirm,
  onClose,
  children,
}: {
  title: string
  /** What the button says. */
  action: string
  onConfirm: () => Promise<void>
  onClose: () => void
  children: ComponentChildren
}) {
  const { run, isRunning, error } = useAction(() => onConfirm())
  return (
    <Dialog title={title} onClose={onClose}>
      <div class="stack is-close">
        {children}
        <Trouble error={error} />
        <div class="actions">
          <Button kind="danger" isBusy={isRunning} onClick={() => void run()}>
            {action}
          </Button>
          <Button onClick={onClose}>{texts.cancel}</Button>
        </div>
      </div>
    </Dialog>
  )
}
