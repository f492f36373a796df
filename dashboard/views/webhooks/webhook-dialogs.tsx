import { useState } from 'preact/hooks'
import type { Webhook, WebhookWithSecret } from '../../../clients/typescript/src/types.ts'
import { Button } from '../../components/button.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { Failure, Notice } from '../../components/feedback.tsx'
import { useClient } from '../../shell/shell-context.ts'
import { useAction } from '../../shell/use-action.ts'
import {
  changesOf,
  newFields,
  type WebhookFields,
  webhookFaults,
  webhookOf,
} from './webhook-fields.ts'
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
