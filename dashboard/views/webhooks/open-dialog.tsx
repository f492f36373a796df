import type { Webhook, WebhookWithSecret } from '../../../clients/typescript/src/types.ts'
import { DeleteWebhookDialog } from './delete-webhook-dialog.tsx'
import { EditWebhookDialog } from './edit-webhook-dialog.tsx'
import { ReplayDialog } from './replay-dialog.tsx'
import { RotateSecretDialog } from './rotate-secret-dialog.tsx'
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
