import { useState } from 'preact/hooks'
import { SelectField, TextField } from '../../components/field.tsx'
import { FormDialog, useForm } from '../../components/form.tsx'
import { defaultOverlap, OverlapField } from '../../components/overlap-field.tsx'
import { useClient } from '../../shell/shell-context.ts'
import { type ActionDialogProps, WebhookDialog } from './webhook-dialogs.tsx'

/** The dialogs about a webhook, by the actions of its menu. */
export const actionDialogs = {
  edit: WebhookDialog,
  rotate: RotateSecretDialog,
  replay: ReplayDialog,
  delete: DeleteWebhookDialog,
}

function DeleteWebhookDialog({ webhook, onDeleted, onClose }: ActionDialogProps) {
  const { webhookId, url } = webhook
  const client = useClient()
  const remove = useForm(async () => {
    await client.deleteWebhook({ webhookId })
    onDeleted(webhook)
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

function RotateSecretDialog({ webhook: { webhookId, url }, onSecret, onClose }: ActionDialogProps) {
  const client = useClient()
  const [overlap, setOverlap] = useState(defaultOverlap)
  const rotate = useForm(async () => {
    const overlapSeconds = Number(overlap)
    onSecret(await client.rotateWebhookSecret({ webhookId, overlapSeconds }))
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

/** Since when a webhook gets its events again, as the form offers it. The last choice has a time of its own. */
const replayOptions = [
  { value: '3600', label: 'The last hour' },
  { value: '86400', label: 'The last 24 hours' },
  { value: '604800', label: 'The last 7 days' },
  { value: 'time', label: 'Since a time…' },
] as const

/** The first choice of a replay, and the local time `yyyy-mm-ddThh:mm` that belongs to `time`. */
const lastHour = { choice: '3600', time: '' }

type ReplayStart = typeof lastHour

/** The service refuses a time that is older than 7 days, also if the request took long or the clock of this device is slow. */
const keptMs = 604_800_000
const marginMs = 300_000

/** Returns the time since which events are sent again (RFC 3339). `now`: milliseconds since 1970. */
export function replaySince({ choice, time }: ReplayStart, now: number): string {
  const since =
    choice === 'time'
      ? Date.parse(time)
      : Math.max(now - Number(choice) * 1000, now - keptMs + marginMs)
  return new Date(since).toISOString()
}

export function replayFault({ choice, time }: ReplayStart, now: number): string | undefined {
  if (choice !== 'time') return undefined
  const since = Date.parse(time)
  if (Number.isNaN(since)) return 'Choose a time.'
  return since > now || since < now - keptMs ? 'The time must be in the last 7 days.' : undefined
}

function ReplayDialog({ webhook: { webhookId, url, state }, onDone, onClose }: ActionDialogProps) {
  const client = useClient()
  const [start, setStart] = useState(lastHour)
  const replay = useForm(
    async () => {
      const since = replaySince(start, Date.now())
      onDone('The events are sent again.', await client.replayWebhook({ webhookId, since }))
    },
    { since: replayFault(start, Date.now()) },
  )
  const error = replay.faultOf('since')
  return (
    <FormDialog title="Replay events" action="Replay" form={replay} onClose={onClose}>
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
    </FormDialog>
  )
}
