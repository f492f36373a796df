import { Component, type ComponentChildren } from 'preact'
import { useMemo } from 'preact/hooks'
import { describeError } from '../shell/describe-error.ts'
import { problemPath } from '../shell/docs-paths.ts'
import type { Loaded } from '../shell/use-load.ts'
import { useCountdown } from '../shell/use-now.ts'
import { Button, CloseButton } from './button.tsx'
import { Icon } from './icon.tsx'

const icons = { info: 'info', success: 'check', warning: 'warning', error: 'warning' } as const

interface NoticeProps {
  /** `error` is said by screen readers at once. */
  kind?: keyof typeof icons
  title?: ComponentChildren
  /** Is called by the button ✕, which is absent without it. */
  onClose?: (() => void) | undefined
  children?: ComponentChildren
}

/** A message inside a view, with what to do about it as its children. */
export const Notice = ({ kind = 'info', title, onClose, children }: NoticeProps) => (
  <div class={`notice is-${kind}`} role={kind === 'error' ? 'alert' : undefined}>
    <Icon name={icons[kind]} />
    <div class="stack is-dense">
      {title && <p class="strong">{title}</p>}
      {children}
    </div>
    {onClose && <CloseButton onClose={onClose} />}
  </div>
)

/**
 * Shows that something is under way. With `value` and `max` it shows how much is done; without them only that it goes
 * on. The label says what happens, also to screen readers.
 */
export const Progress = ({
  label,
  value,
  max,
}: {
  label: string
  value?: number
  max?: number
}) => (
  <div class="progress stack is-dense">
    <p class="line soft" role="status">
      {value === undefined && <span class="spinner" aria-hidden="true" />}
      {label}
    </p>
    {value !== undefined && <progress aria-label={label} value={value} max={max ?? 1} />}
  </div>
)

interface EmptyStateProps {
  title: string
  children?: ComponentChildren
  actions?: ComponentChildren
  /** What comes below the actions. */
  more?: ComponentChildren
}

/** What a list shows while it has no entries: why, and the first thing to do. */
export const EmptyState = ({ title, children, actions, more }: EmptyStateProps) => (
  <div class="empty-state">
    <h2>{title}</h2>
    {children && <p>{children}</p>}
    {actions && <div class="actions">{actions}</div>}
    {more}
  </div>
)

/**
 * A failed call, or nothing without an error: what has happened, what to do, and the request id for the support. `retry` repeats the
 * call; its button waits as long as the API asks for.
 */
export const Failure = (props: FailureProps) =>
  props.error === undefined ? null : <FailureNotice {...props} />

interface FailureProps {
  error: unknown
  retry?: () => void
}

function FailureNotice({ error, retry }: FailureProps) {
  const { title, detail, advice, code, requestId, retryAfterSeconds, mayHaveTakenEffect } =
    describeError(error)
  // The same wait begins anew with each error.
  const retryAt = useMemo(() => Date.now() + retryAfterSeconds * 1000, [error, retryAfterSeconds])
  const wait = useCountdown(retryAt)
  return (
    <Notice kind="error" title={title}>
      {detail && <p>{detail}</p>}
      <p>{advice}</p>
      {mayHaveTakenEffect && (
        <p>The change can have been made all the same. Check this before you repeat it.</p>
      )}
      {(code || requestId) && (
        <p class="notice-facts cluster hint">
          {code && <ProblemLink code={code} />}
          {requestId && <span>Request {requestId}</span>}
        </p>
      )}
      {retry && (
        <div class="actions">
          <Button onClick={retry} isBusy={wait > 0}>
            {wait > 0 ? `Try again in ${wait} s` : 'Try again'}
          </Button>
        </div>
      )}
    </Notice>
  )
}

/** Leads to what the documentation says of a problem of the API, in a tab of its own: what is typed here is kept. */
export const ProblemLink = ({ code }: { code: string }) => (
  <a href={problemPath(code)} target="_blank" rel="noopener">
    What <code>{code}</code> means
  </a>
)

/** Why something could not be loaded, or that it is being loaded, as long as nothing of it is there. */
export const LoadState = ({
  loaded: { data, error, isLoading, reload },
  label,
}: {
  loaded: Pick<Loaded<unknown>, 'error' | 'isLoading' | 'reload'> & { data?: unknown }
  label: string
}) => (
  <>
    <Failure error={error} retry={reload} />
    {isLoading && data === undefined && <Progress label={label} />}
  </>
)

/** Shows a message in place of a view that has thrown. The rest of the page stays usable. */
export class ErrorBoundary extends Component<
  { children: ComponentChildren },
  { hasFailed: boolean }
> {
  override state = { hasFailed: false }

  override componentDidCatch(error: unknown): void {
    // The console is where a developer of the dashboard looks for the cause.
    console.error(error)
    this.setState({ hasFailed: true })
  }

  override render() {
    if (!this.state.hasFailed) return this.props.children
    return (
      <Notice kind="error" title="This page has stopped because of an error in the dashboard.">
        <p>Nothing on the server has changed by it. Load the page again.</p>
        <div class="actions">
          <Button onClick={() => location.reload()}>Load again</Button>
        </div>
      </Notice>
    )
  }
}
