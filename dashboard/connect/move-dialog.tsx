import { Button } from '../components/button.tsx'
import { Dialog } from '../components/dialog.tsx'
import { Notice } from '../components/notice.tsx'
import { useAction } from '../shell/use-action.ts'
import { ShortAddress } from './short-address.tsx'
import { texts } from './texts.ts'
import { Trouble } from './trouble.tsx'

const own = texts.move

/** Asks whether a wallet of another user is to move (D114). */
export function MoveDialog({
  address,
  onMove,
  onClose,
}: {
  address: string
  onMove: () => Promise<void>
  onClose: () => void
}) {
  const { run, isRunning, error } = useAction(() => onMove())
  return (
    <Dialog title={own.title} onClose={onClose}>
      <div class="connect-part">
        <p>
          <ShortAddress address={address} />
        </p>
        <p>{own.lead}</p>
        <Notice kind="warning" title={own.warning}>
          <p>{own.warningLead}</p>
        </Notice>
        <Trouble error={error} />
        <div class="actions">
          <Button kind="danger" isBusy={isRunning} onClick={() => void run()}>
            {own.move}
          </Button>
          <Button onClick={onClose}>{texts.cancel}</Button>
        </div>
      </div>
    </Dialog>
  )
}
