import { useState } from 'preact/hooks'
import type { Webhook, WebhookWithSecret } from '../../../clients/typescript/src/types.ts'
import { Button } from '../../components/button.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { Failure, Notice } from '../../components/feedback.tsx'
import { SelectField } from '../../components/field.tsx'
import { Form } from '../../components/form.tsx'
import { defaultOverlap, overlapOptions } from '../../shell/overlaps.ts'
import { useClient } from '../../shell/shell-context.ts'
import { useAction } from '../../shell/use-action.ts'
import { ReplayDialog } from './replay-dialog.tsx'
import { EditWebhookDialog } from './webhook-dialogs.tsx'
import type { WebhookDialog } from './webhook-row.tsx'

/** The dialog about a webhook that is open. */
export function OpenDialog({
  dialog,
  of,
  onSecret,
  onDone,
  onDeleted,
  onClose,
}: {
  dialog: WebhookDialog
  of: Webhook
  onSecret: (webhook: WebhookWithSecret) => void
  /** What was done, and the webhook after it. */
  onDone: (what: string, webhook: Webhook) => void
  onDeleted: (webhook: Webhook) => void
  onClose: () => void
}) {
  if (dialog === 'edit') {
    const saved = (changed: Webhook) => onDone('Saved.', changed)
    return <EditWebhookDialog of={of} onChanged={saved} onClose={onClose} />
  }
  if (dialog === 'rotate') {
    return <RotateSecretDialog of={of} onRotated={onSecret} onClose={onClose} />
  }
  if (dialog === 'replay') {
    const replayed = (changed: Webhook) => onDone('The events are sent again.', changed)
    return <ReplayDialog of={of} onReplayed={replayed} onClose={onClose} />
  }
  return <DeleteWebhookDialog of={of} onDeleted={() => onDeleted(of)} onClose={onClose} />
}

/** Deletes a webhook, after naming it. */
function DeleteWebhookDialog({
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

/** Replaces the secret of a webhook by a new one. */
function RotateSecretDialog({
  of: { webhookId, url },
  onRotated,
  onClose,
}: {
  of: Webhook
  onRotated: (webhook: WebhookWithSecret) => void
  onClose: () => void
}) {
  const client = useClient()
  const [overlap, setOverlap] = useState(defaultOverlap)
  const rotate = useAction(async () => {
    const overlapSeconds = Number(overlap)
    onRotated(await client.rotateWebhookSecret({ webhookId, overlapSeconds }))
  })
  return (
    <Dialog title="Rotate a secret" onClose={onClose}>
      <Form onSubmit={() => void rotate.run()}>
        <p>
          You get a new secret for <bdi class="foreign">{url}</bdi>. Give it to your server while
          both sign.
        </p>
        <SelectField
          label="The old secret still signs"
          value={overlap}
          onValue={setOverlap}
          options={overlapOptions('it ends at once')}
        />
        {overlap === '0' && (
          <Notice kind="warning">
            <p>Your server cannot verify messages until it has the new secret.</p>
          </Notice>
        )}
        {rotate.error !== undefined && <Failure error={rotate.error} />}
        <div class="actions">
          <Button kind="primary" type="submit" isBusy={rotate.isRunning}>
            Rotate
          </Button>
          <Button onClick={onClose}>Cancel</Button>
        </div>
      </Form>
    </Dialog>
  )
}
