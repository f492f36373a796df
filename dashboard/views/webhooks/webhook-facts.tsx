import type { ComponentChildren } from 'preact'
import type { Webhook } from '../../../clients/typescript/src/types.ts'
import { TimeAgo, TimeUntil } from '../../components/time.tsx'
import { behindText, failureSentence } from './webhook-words.ts'

/** What a webhook gets, and how its deliveries go. `now`: milliseconds since 1970. */
export const WebhookFacts = ({ webhook, now }: { webhook: Webhook; now: number }) => (
  <dl class="webhook-facts">
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

const Fact = ({
  name,
  isWide = false,
  children,
}: {
  name: string
  isWide?: boolean
  children: ComponentChildren
}) => (
  <div class={isWide ? 'is-wide' : undefined}>
    <dt class="hint">{name}</dt>
    <dd>{children}</dd>
  </div>
)
