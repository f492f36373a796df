import { useEffect, useRef, useState } from 'preact/hooks'
import { ApiError } from '../../../clients/typescript/src/errors.ts'
import type { Webhook, Webhooks, WebhookWithSecret } from '../../../clients/typescript/src/types.ts'
import { Button } from '../../components/button.tsx'
import { EmptyState, LoadState, Notice } from '../../components/feedback.tsx'
import { Icon } from '../../components/icon.tsx'
import { PageHeading } from '../../components/page-heading.tsx'
import { announce } from '../../shell/announcer.tsx'
import { useClient, useShowNewSecret } from '../../shell/shell-context.ts'
import { useLoad } from '../../shell/use-load.ts'
import { useNow } from '../../shell/use-now.ts'
import { actionDialogs } from './action-dialogs.tsx'
import { WebhookDialog } from './webhook-dialogs.tsx'
import { type WebhookAction, WebhookRow } from './webhook-row.tsx'

type Open = { dialog: 'create' } | { dialog: WebhookAction; webhook: Webhook }

/** The page Webhooks: the URLs to which the events of the product's NFTs are sent. */
export function WebhooksView() {
  const loaded = useWebhooks()
  const { data, isLoading, reload, changed, removed } = loaded
  const showNewSecret = useShowNewSecret()
  const [open, setOpen] = useState<Open>()
  const close = () => setOpen(undefined)
  const isAbsent = isWithoutWebhooks(loaded.error)
  const isEmpty = data?.webhooks.length === 0
  const create = () => setOpen({ dialog: 'create' })
  const ActionDialog = open && open.dialog !== 'create' && actionDialogs[open.dialog]
  const done = (what: string, webhook: Webhook) => {
    close()
    announce(what)
    changed(webhook)
  }
  const deleted = (webhook: Webhook) => {
    close()
    announce('The webhook was deleted.')
    removed(webhook)
  }
  const show = (made: WebhookWithSecret) => {
    const shown = { title: 'The new secret', kind: 'webhookSecret', secret: made.secret } as const
    if (!showNewSecret({ ...shown, note: nextStep(made) })) return
    close()
    reload()
  }
  return (
    <>
      <PageHeading
        title="Webhooks"
        actions={
          !isAbsent &&
          !isEmpty && (
            <>
              <Button onClick={reload} isBusy={isLoading}>
                Refresh
              </Button>
              <Button kind="primary" onClick={create}>
                <Icon name="plus" />
                Create a webhook
              </Button>
            </>
          )
        }
      >
        {isAbsent ? 'This deployment of the service has no webhooks.' : <Lead />}
      </PageHeading>
      <div class="stack" aria-busy={isLoading}>
        {!isAbsent && <LoadState loaded={loaded} label="Loading the webhooks…" />}
        {data && <Notices webhooks={data} />}
        {isEmpty && <NoWebhooks create={create} />}
        {data && !isEmpty && (
          <WebhookList webhooks={data.webhooks} changed={changed} open={setOpen} />
        )}
      </div>
      {open?.dialog === 'create' && <WebhookDialog onSecret={show} onDone={done} onClose={close} />}
      {ActionDialog && (
        <ActionDialog
          webhook={open.webhook}
          onSecret={show}
          onDone={done}
          onDeleted={deleted}
          onClose={close}
        />
      )}
    </>
  )
}

const documentation = '/docs/webhooks.html'

function nextStep({ state, oldSecretEndsAt }: WebhookWithSecret): string {
  if (state === 'unverified') {
    return 'Give it to your server. Then test the webhook on this page: the server must answer with the text of data.challenge as the body. It gets events from then on.'
  }
  return oldSecretEndsAt === null
    ? 'Give it to your server now: the old secret has ended.'
    : 'Give it to your server before the old secret ends.'
}

const Lead = () => (
  <>
    The service sends your server what happens to the NFTs of your game, in signed messages.{' '}
    <a href={documentation}>How webhooks work</a>
  </>
)

/** Which contracts of the product have no events. */
const Notices = ({ webhooks: { notFollowed, contractsOverLimit } }: { webhooks: Webhooks }) => (
  <>
    {notFollowed.length > 0 && (
      <Notice kind="warning" title={`Events are missing on ${notFollowed.join(', ')}.`}>
        <p>
          The service does not follow contracts of your game there. Ask the operator of the service.
        </p>
      </Notice>
    )}
    {contractsOverLimit && (
      <Notice kind="warning" title="Your game has too many contracts for events.">
        <p>
          The last ones in the list of contracts have no events. Remove contracts that your game
          does not need, or ask the operator of the service for more.
        </p>
      </Notice>
    )}
  </>
)

function WebhookList({
  webhooks,
  changed,
  open,
}: {
  webhooks: readonly Webhook[]
  changed: (webhook?: Webhook) => void
  open: (open: Open) => void
}) {
  const now = useNow(5_000)
  return (
    <ul class="stack is-tight">
      {webhooks.map((webhook) => (
        <WebhookRow
          key={`${webhook.webhookId} ${webhook.url}`}
          webhook={webhook}
          now={now}
          onOpen={(dialog) => open({ dialog, webhook })}
          onChanged={changed}
        />
      ))}
    </ul>
  )
}

const NoWebhooks = ({ create }: { create: () => void }) => (
  <EmptyState
    title="No webhooks yet"
    actions={
      <Button kind="primary" onClick={create}>
        Create the first webhook
      </Button>
    }
  >
    A webhook is a URL of your server. When an NFT of your game changes hands, is minted or burned,
    or can have new metadata, the service sends a message there. Your server need not ask again and
    again.
  </EmptyState>
)

/** How long after a change its first deliveries are looked for, in milliseconds. */
const firstDeliveryMs = 3_000

function useWebhooks() {
  const client = useClient()
  const loaded = useLoad((signal) => client.listWebhooks({ signal }), [client])
  const { data, reload, replace } = loaded
  const later = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => () => clearTimeout(later.current), [])
  return {
    ...loaded,
    /** Shows a webhook after a change, and soon what follows from it; without it, reads all anew. */
    changed(webhook?: Webhook) {
      if (!webhook || !data) {
        reload()
        return
      }
      replace(replaced(data, webhook, [webhook]))
      clearTimeout(later.current)
      later.current = setTimeout(reload, firstDeliveryMs)
    },
    removed(webhook: Webhook) {
      if (data) replace(replaced(data, webhook, []))
    },
  }
}

const replaced = (data: Webhooks, { webhookId }: Webhook, by: readonly Webhook[]): Webhooks => ({
  ...data,
  webhooks: data.webhooks.flatMap((each) => (each.webhookId === webhookId ? by : [each])),
})

/** Whether the deployment has no webhooks: API Gateway then knows no path of them. */
const isWithoutWebhooks = (error: unknown): boolean =>
  error instanceof ApiError && error.status === 404
