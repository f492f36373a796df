import { useState } from 'preact/hooks'
import type { Webhook } from '../../../clients/typescript/src/types.ts'
import { Button } from '../../components/button.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { Failure } from '../../components/failure.tsx'
import { SelectField, TextField } from '../../components/field.tsx'
import { Form } from '../../components/form.tsx'
import { useClient } from '../../shell/client.ts'
import { describeError, fieldSentence } from '../../shell/describe-error.ts'
import { useAction } from '../../shell/use-action.ts'
import { lastHour, replayFault, replayOptions, replaySince } from './replay-times.ts'

/** Sends events of the last days to a webhook again. */
export function ReplayDialog({
  of: { webhookId, url, state },
  onReplayed,
  onClose,
}: {
  of: Webhook
  onReplayed: (webhook: Webhook) => void
  onClose: () => void
}) {
  const client = useClient()
  const [start, setStart] = useState(lastHour)
  const [isChecked, setIsChecked] = useState(false)
  const fault = replayFault(start, Date.now())
  const replay = useAction(async () => {
    const since = replaySince(start, Date.now())
    onReplayed(await client.replayWebhook({ webhookId, since }))
  })
  const refused = replay.error === undefined ? {} : describeError(replay.error).fields
  const error = (isChecked ? fault : undefined) ?? fieldSentence(refused['since'])
  return (
    <Dialog title="Replay events" onClose={onClose}>
      <Form
        onSubmit={() => {
          setIsChecked(true)
          if (!fault) void replay.run()
        }}
      >
        <p>
          <bdi class="foreign">{url}</bdi> gets the events again, in their order and with the same
          ids, and then what is new.
          {state === 'paused' && ' The webhook is resumed.'}
        </p>
        <SelectField
          label="Events to send again"
          value={start.choice}
          onValue={(choice) => setStart({ ...start, choice })}
          options={replayOptions}
          error={start.choice === 'time' ? undefined : error}
        />
        {start.choice === 'time' && (
          <TextField
            label="Since"
            hint="In the time zone of this device, at most 7 days ago."
            type="datetime-local"
            value={start.time}
            onValue={(time) => setStart({ ...start, time })}
            error={error}
          />
        )}
        {replay.error !== undefined && <Failure error={replay.error} />}
        <div class="actions">
          <Button kind="primary" type="submit" isBusy={replay.isRunning}>
            Replay
          </Button>
          <Button onClick={onClose}>Cancel</Button>
        </div>
      </Form>
    </Dialog>
  )
}
