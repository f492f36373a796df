import { useState } from 'preact/hooks'
import type { Webhook, WebhookWithSecret } from '../../../clients/typescript/src/types.ts'
import { FormDialog, useForm } from '../../components/form.tsx'
import { defaultOverlap, OverlapField } from '../../components/overlap-field.tsx'
import { useClient } from '../../shell/shell-context.ts'
import { ReplayDialog } from './replay-dialog.tsx'
import { EditWebhookDialog } from './webhook-dialogs.tsx'
import type { WebhookDialog } from './webhook-row.tsx'

/** The dialog about a webhook that is open. */
export function OpenDialog({
  dialog,
  webhook,
  onSecret,
  onDone,
  onDeleted,
  onClose,
}: {
  dialog: WebhookDialog
  webhook: Webhook
  onSecret: (webhook: WebhookWithSecret) => void
  /** What was done, and the webhook after it. */
  onDone: (what: string, webhook: Webhook) => void
  onDeleted: (webhook: Webhook) => void
  onClose: () => void
}) {
  if (dialog === 'edit') {
    const saved = (changed: Webhook) => onDone('Saved.', changed)
    return <EditWebhookDialog webhook={webhook} onChanged={saved} onClose={onClose} />
  }
  if (dialog === 'rotate') {
    return <RotateSecretDialog webhook={webhook} onRotated={onSecret} onClose={onClose} />
  }
  if (dialog === 'replay') {
    const replayed = (changed: Webhook) => onDone('The events are sent again.', changed)
    return <ReplayDialog webhook={webhook} onReplayed={replayed} onClose={onClose} />
  }
  return (
    <DeleteWebhookDialog webhook={webhook} onDeleted={() => onDeleted(webhook)} onClose={onClose} />
  )
}

/** Deletes a webhook, after naming it. */
function DeleteWebhookDialog({
  webhook: { webhookId, url },
  onDeleted,
  onClose,
}: {
  webhook: Webhook
  onDeleted: () => void
  onClose: () => void
}) {
  const client = useClient()
  const remove = useForm(async () => {
    await client.deleteWebhook({ webhookId })
    onDeleted()
  })
  return (
    <FormDialog
      title="Delete this webhook?"
      action="Delete the webhook"
      kind="danger"
      form={remove}
      onClose={onClose}
    >
      <p>
        <bdi class="foreign">{url}</bdi> gets no more events, and its secret ends. This cannot be
        undone.
      </p>
    </FormDialog>
  )
}

/** Replaces the secret of a webhook by a new one. */
function RotateSecretDialog({
  webhook: { webhookId, url },
  onRotated,
  onClose,
}: {
  webhook: Webhook
  onRotated: (webhook: WebhookWithSecret) => void
  onClose: () => void
}) {
  const client = useClient()
  const [overlap, setOverlap] = useState(defaultOverlap)
  const rotate = useForm(async () => {
    const overlapSeconds = Number(overlap)
    onRotated(await client.rotateWebhookSecret({ webhookId, overlapSeconds }))
  })
  return (
    <FormDialog title="Rotate a secret" action="Rotate" form={rotate} onClose={onClose}>
      <p>
        You get a new secret for <bdi class="foreign">{url}</bdi>. Give it to your server while both
        sign.
      </p>
      <OverlapField
        label="The old secret still signs"
        without="it ends at once"
        warning="Your server cannot verify messages until it has the new secret."
        overlap={overlap}
        onOverlap={setOverlap}
      />
    </FormDialog>
  )
}
