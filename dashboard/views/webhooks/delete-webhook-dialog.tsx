import type { Webhook } from '../../../clients/typescript/src/types.ts'
import { Button } from '../../components/button.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { Failure } from '../../components/failure.tsx'
import { useClient } from '../../shell/client.ts'
import { useAction } from '../../shell/use-action.ts'

/** Deletes a webhook, after naming it. */
export function DeleteWebhookDialog({
  of: { webhookId, url },
  onDeleted,
  onClose,
}: {
  of: Webhook
  onDeleted: () => void
  onClose: () => void
}) {
  const client = useClient()
  const remove = useAction(async () => {
    await client.deleteWebhook({ webhookId })
    onDeleted()
  })
  return (
    <Dialog title="Delete this webhook?" onClose={onClose}>
      <div class="stack">
        <p>
          <bdi class="foreign">{url}</bdi> gets no more events, and its secret ends. This cannot be
          undone.
        </p>
        {remove.error !== undefined && <Failure error={remove.error} />}
        <div class="actions">
          <Button kind="danger" isBusy={remove.isRunning} onClick={() => remove.run()}>
            Delete the webhook
          </Button>
          <Button onClick={onClose}>Cancel</Button>
        </div>
      </div>
    </Dialog>
  )
}
