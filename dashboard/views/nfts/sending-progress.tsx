import { Button } from '../../components/button.tsx'
import { Failure, Notice, Progress } from '../../components/feedback.tsx'
import { capitalized, counted } from '../../shell/counted.ts'
import { describeError } from '../../shell/describe-error.ts'
import { contractPath } from '../../shell/page-paths.ts'
import { useClient } from '../../shell/shell-context.ts'
import { useCountdown } from '../../shell/use-now.ts'
import type { Sending, Wait } from './sending.ts'
import { sendings } from './sendings.ts'

/** A list that is being sent, with buttons to stop it, to continue it, and to discard the rest. */
export function SendingProgress({
  sending,
  namesContract = false,
}: {
  sending: Sending
  namesContract?: boolean
}) {
  const { status, chain, address, kind, isKept } = sending
  return (
    <section
      class={
        status === 'done' ? 'sending stack is-close' : 'card sending stack is-close is-under-way'
      }
      aria-label={`${verbs[kind]} NFTs`}
    >
      {namesContract && (
        <p>
          <a href={contractPath(chain, address)} class="mono foreign">
            {chain} {address}
          </a>
        </p>
      )}
      {status === 'done' ? (
        <Done sending={sending} />
      ) : (
        <>
          <Progress label={labelOf(sending)} value={sending.position} max={sending.total} />
          {sending.wait && <Waiting wait={sending.wait} />}
          {status === 'failed' && <Failure error={sending.error} />}
          {status === 'sending' && !isKept && (
            <p class="soft">Keep this page open: the browser cannot keep the list.</p>
          )}
          <Actions sending={sending} />
        </>
      )}
    </section>
  )
}

function Actions({ sending: { id, status, total, position } }: { sending: Sending }) {
  const client = useClient()
  return (
    <div class="actions">
      {status === 'sending' ? (
        <Button onClick={() => sendings.stop(id)}>Stop</Button>
      ) : (
        <>
          <Button kind="primary" onClick={() => void sendings.resume(id, client)}>
            Continue
          </Button>
          <Button kind="quiet" onClick={() => void sendings.discard(id)}>
            Discard the other {(total - position).toLocaleString('en-US')}
          </Button>
        </>
      )}
    </div>
  )
}

const verbs = { allowlist: 'Adding', unbind: 'Removing' } as const

function labelOf({ kind, status, position, total }: Sending): string {
  const verb = status === 'sending' ? verbs[kind] : `${verbs[kind]} was stopped`
  const [sent, all] = [position, total].map((count) => count.toLocaleString('en-US'))
  return `${verb}: ${sent} of ${all} sent`
}

function Done({ sending: { id, kind, total, what, removed } }: { sending: Sending }) {
  const were = total === 1 ? 'was' : 'were'
  const sent = `${capitalized(what)} ${were}`
  const text =
    kind === 'allowlist'
      ? `${sent} added.`
      : `${sent} removed. ${counted(removed, 'single NFT')} of them ${removed === 1 ? 'was' : 'were'} on the allowlist.`
  return (
    <div role="status">
      <Notice kind="success" onClose={() => void sendings.discard(id)}>
        <p>{text}</p>
      </Notice>
    </div>
  )
}

function Waiting({ wait }: { wait: Wait }) {
  const seconds = useCountdown(wait.until)
  const { title } = describeError(wait.error)
  return <Notice kind="warning" title={`${title} It goes on by itself in ${seconds} s.`} />
}
