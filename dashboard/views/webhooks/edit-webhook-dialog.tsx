import { useState } from 'preact/hooks'
import type { Webhook } from '../../../clients/typescript/src/types.ts'
import { Button } from '../../components/button.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { Failure } from '../../components/failure.tsx'
import { Notice } from '../../components/notice.tsx'
import { useClient } from '../../shell/client.ts'
import { useAction } from '../../shell/use-action.ts'
import { changesOf, type WebhookFields, webhookFaults } from './webhook-fields.ts'
import { WebhookForm } from './webhook-form.tsx'

/** Changes the URL, the types of events and the description of a webhook: only what is different is sent. */
export function EditWebhookDialog({
  of: webhook,
  onChanged,
  onClose,
}: {
  of: Webhook
  onChanged: (webhook: Webhook) => void
  onClose: () => void
}) {
  const client = useClient()
  const { webhookId, url, events, description } = webhook
  const [fields, setFields] = useState<WebhookFields>({ url, events, description })
  const [isChecked, setIsChecked] = useState(false)
  const changes = changesOf(webhook, fields)
  const save = useAction(async () => {
    onChanged(changes ? await client.updateWebhook({ webhookId, ...changes }) : webhook)
  })
  return (
    <Dialog title="Edit a webhook" onClose={onClose}>
      <WebhookForm
        fields={fields}
        onFields={setFields}
        isChecked={isChecked}
        error={save.error}
        urlNote="Another URL must be verified again, with the same secret."
        onSubmit={() => {
          setIsChecked(true)
          if (Object.keys(webhookFaults(fields)).length === 0) void save.run()
        }}
      >
        {changes?.url !== undefined && webhook.state !== 'unverified' && (
          <Notice kind="warning">
            <p>
              The webhook gets no events until the server at the new URL has answered a test. What
              happens until then is not sent.
            </p>
          </Notice>
        )}
        {save.error !== undefined && <Failure error={save.error} />}
        <div class="actions">
          <Button kind="primary" type="submit" isBusy={save.isRunning}>
            Save
          </Button>
          <Button onClick={onClose}>Cancel</Button>
        </div>
      </WebhookForm>
    </Dialog>
  )
}
