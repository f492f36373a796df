import { useState } from 'preact/hooks'
import type { WebhookWithSecret } from '../../../clients/typescript/src/types.ts'
import { Button } from '../../components/button.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { Failure } from '../../components/failure.tsx'
import { useClient } from '../../shell/client.ts'
import { useAction } from '../../shell/use-action.ts'
import { newFields, webhookFaults, webhookOf } from './webhook-fields.ts'
import { WebhookForm } from './webhook-form.tsx'

/** Creates a webhook. */
export function CreateWebhookDialog({
  onCreated,
  onClose,
}: {
  onCreated: (webhook: WebhookWithSecret) => void
  onClose: () => void
}) {
  const client = useClient()
  // No draft, because a URL can contain a secret.
  const [fields, setFields] = useState(newFields)
  const [isChecked, setIsChecked] = useState(false)
  const create = useAction(async () => onCreated(await client.createWebhook(webhookOf(fields))))
  return (
    <Dialog title="Create a webhook" onClose={onClose}>
      <WebhookForm
        fields={fields}
        onFields={setFields}
        isChecked={isChecked}
        error={create.error}
        onSubmit={() => {
          setIsChecked(true)
          if (Object.keys(webhookFaults(fields)).length === 0) void create.run()
        }}
      >
        {create.error !== undefined && <Failure error={create.error} />}
        <div class="actions">
          <Button kind="primary" type="submit" isBusy={create.isRunning}>
            Create
          </Button>
          <Button onClick={onClose}>Cancel</Button>
        </div>
      </WebhookForm>
    </Dialog>
  )
}
