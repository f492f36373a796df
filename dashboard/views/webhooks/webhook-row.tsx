import { useState } from 'preact/hooks'
import type { Webhook, WebhookTest } from '../../../clients/typescript/src/types.ts'
import { Button } from '../../components/button.tsx'
import { Fact } from '../../components/fact.tsx'
import { Failure, Notice } from '../../components/feedback.tsx'
import { Menu } from '../../components/menu.tsx'
import { TimeAgo, TimeUntil } from '../../components/time.tsx'
import { useClient } from '../../shell/shell-context.ts'
import { useAction } from '../../shell/use-action.ts'
import type { actionDialogs } from './action-dialogs.tsx'
import { behindText, failureSentence, stateWords, testSentence } from './webhook-words.ts'

export type WebhookAction = keyof typeof actionDialogs

interface WebhookRowProps {
  webhook: Webhook
  now: number
  onOpen: (dialog: WebhookAction) => void
  /** The webhook after a change; without it, it must be read anew. */
  onChanged: (webhook?: Webhook) => void
}

export function WebhookRow(props: WebhookRowProps) {
  const { url, state, description } = props.webhook
  const { label, badge, meaning } = stateWords(state)
  return (
    <li class="card stack is-close webhook">
      <div class="webhook-heading">
        <h2 class="foreign mono">{url}</h2>
        <span class={`badge ${badge}`}>{label}</span>
      </div>
      {description && <p class="soft foreign">{description}</p>}
      {meaning && <p>{meaning}</p>}
      <WebhookFacts webhook={props.webhook} now={props.now} />
      <WebhookActions {...props} />
    </li>
  )
}

function WebhookActions({
  webhook: { webhookId, url, state },
  onOpen,
  onChanged,
}: WebhookRowProps) {
  const client = useClient()
  const [result, setResult] = useState<WebhookTest>()
  const test = useAction(async (signal) => {
    setResult(undefined)
    // A second test would be another message to the server.
    setResult(await client.testWebhook({ webhookId }, { signal, maxRetries: 0 }))
    onChanged()
  })
  const setState = useAction(async (_, wanted: StateAction['wanted']) =>
    onChanged(await client.updateWebhook({ webhookId, state: wanted })),
  )
  return (
    <>
      <div role="status" class="webhook-result">
        {result && <TestResult result={result} onClose={() => setResult(undefined)} />}
      </div>
      <Failure error={test.error} />
      <Failure error={setState.error} />
      <div class="actions">
        <Button
          kind={state === 'unverified' ? 'primary' : 'secondary'}
          isBusy={test.isRunning}
          onClick={() => test.run()}
          aria-label={`Test ${url}`}
        >
          {test.isRunning ? 'Testing…' : 'Test'}
        </Button>
        {stateActions[state]?.map(({ name, wanted }) => (
          <Button
            key={name}
            isBusy={setState.isRunning}
            onClick={() => setState.run(wanted)}
            aria-label={`${name} ${url}`}
          >
            {name}
          </Button>
        ))}
        <Menu label="More" about={url} items={menuItems(state, onOpen)} />
      </div>
    </>
  )
}

interface StateAction {
  name: string
  wanted: 'active' | 'paused'
}

const pause: StateAction = { name: 'Pause', wanted: 'paused' }

const stateActions: Readonly<Record<string, readonly StateAction[]>> = {
  active: [pause],
  failing: [{ name: 'Try now', wanted: 'active' }, pause],
  paused: [{ name: 'Resume', wanted: 'active' }],
}

const menuItems = (state: string, onOpen: WebhookRowProps['onOpen']) => [
  { label: 'Edit…', onChoose: () => onOpen('edit') },
  { label: 'Rotate secret…', onChoose: () => onOpen('rotate') },
  // The service has sent nothing to a server that is not verified.
  ...(state === 'unverified' ? [] : [{ label: 'Replay…', onChoose: () => onOpen('replay') }]),
  { label: 'Delete…', isDanger: true, onChoose: () => onOpen('delete') },
]

const TestResult = ({ result, onClose }: { result: WebhookTest; onClose: () => void }) => (
  <Notice
    kind={result.delivered ? 'success' : 'warning'}
    title={result.delivered ? 'Delivered' : 'Not delivered'}
    onClose={onClose}
  >
    <p>{testSentence(result)}</p>
    {result.failure === 'challenge_not_answered' && (
      <p>
        It must answer with the text of <code>data.challenge</code>, and nothing else, as the body.
      </p>
    )}
  </Notice>
)

/** What a webhook gets, and how its deliveries go. `now`: milliseconds since 1970. */
const WebhookFacts = ({ webhook, now }: { webhook: Webhook; now: number }) => (
  <dl class="webhook-facts columns">
    <Fact name="Events" isWide>
      <ul class="webhook-types cluster">
        {webhook.events.map((type) => (
          <li key={type}>
            <code>{type}</code>
          </li>
        ))}
      </ul>
    </Fact>
    <Fact name="Last delivery">
      {webhook.lastDeliveredAt === null ? (
        'Never'
      ) : (
        <TimeAgo time={webhook.lastDeliveredAt} now={now} />
      )}
    </Fact>
    {webhook.behindSeconds !== null && (
      <Fact name="Pending">{behindText(webhook.behindSeconds)}</Fact>
    )}
    {webhook.failures > 0 && (
      <Fact name="Failed attempts">
        {webhook.failures.toLocaleString('en')}
        {webhook.nextAttemptAt !== null && (
          <>
            , the next <TimeUntil time={webhook.nextAttemptAt} now={now} />
          </>
        )}
      </Fact>
    )}
    {isAhead(webhook.oldSecretEndsAt, now) && (
      <Fact name="Old secret ends">
        <TimeUntil time={webhook.oldSecretEndsAt} now={now} />
      </Fact>
    )}
    {webhook.lastFailure && (
      <Fact name="Last failure" isWide>
        {failureSentence(webhook.lastFailure)}{' '}
        <span class="soft">
          <TimeAgo time={webhook.lastFailure.at} now={now} />
        </span>
      </Fact>
    )}
  </dl>
)

const isAhead = (time: string | null, now: number): time is string =>
  time !== null && Date.parse(time) > now
