import { useState } from 'preact/hooks'
import type { Webhook, WebhookWithSecret } from '../../../clients/typescript/src/types.ts'
import { Button } from '../../components/button.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { Failure } from '../../components/failure.tsx'
import { SelectField } from '../../components/field.tsx'
import { Form } from '../../components/form.tsx'
import { Notice } from '../../components/notice.tsx'
import { useClient } from '../../shell/client.ts'
import { defaultOverlap, overlapOptions } from '../../shell/overlaps.ts'
import { useAction } from '../../shell/use-action.ts'

/** Replaces the secret of a webhook by a new one. */
export function RotateSecretDialog({
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
