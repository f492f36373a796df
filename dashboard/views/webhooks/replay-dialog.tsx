import { useState } from 'preact/hooks'
import type { Webhook } from '../../../clients/typescript/src/types.ts'
import { SelectField, TextField } from '../../components/field.tsx'
import { FormDialog, useForm } from '../../components/form.tsx'
import { useClient } from '../../shell/shell-context.ts'

/** Since when a webhook gets its events again, as the form offers it. The last choice has a time of its own. */
const replayOptions = [
  { value: '3600', label: 'The last hour' },
  { value: '86400', label: 'The last 24 hours' },
  { value: '604800', label: 'The last 7 days' },
  { value: 'time', label: 'Since a time…' },
] as const

/** The choice of a replay, and the local time `yyyy-mm-ddThh:mm` that belongs to `time`. */
interface ReplayStart {
  choice: string
  time: string
}

/** The choice with which the form begins. */
const lastHour: ReplayStart = { choice: '3600', time: '' }

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

/** Says what is wrong with the chosen time, or returns `undefined`. */
export function replayFault({ choice, time }: ReplayStart, now: number): string | undefined {
  if (choice !== 'time') return undefined
  const since = Date.parse(time)
  if (Number.isNaN(since)) return 'Choose a time.'
  return since > now || since < now - keptMs ? 'The time must be in the last 7 days.' : undefined
}

/** Sends events of the last days to a webhook again. */
export function ReplayDialog({
  webhook: { webhookId, url, state },
  onReplayed,
  onClose,
}: {
  webhook: Webhook
  onReplayed: (webhook: Webhook) => void
  onClose: () => void
}) {
  const client = useClient()
  const [start, setStart] = useState(lastHour)
  const replay = useForm(
    async () => {
      const since = replaySince(start, Date.now())
      onReplayed(await client.replayWebhook({ webhookId, since }))
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
