import type { ComponentChildren } from 'preact'
import { useId, useLayoutEffect, useRef } from 'preact/hooks'
import {
  ConnectionError,
  PlayerNftsError,
  TimeoutError,
} from '../../clients/typescript/src/errors.ts'
import { Button } from '../components/button.tsx'
import { Dialog } from '../components/dialog.tsx'
import { Notice } from '../components/feedback.tsx'
import { isolated } from '../components/foreign-text.tsx'
import { useAction } from '../shell/use-action.ts'
import { chainText } from './chains.ts'
import { problemSentences } from './problem-sentences.ts'
import type { Place } from './signer.ts'
import { WalletError } from './wallet.ts'

/** The heading of a view. It names the browser tab, and has the focus from the second view on. */
export function Heading({ title, children }: { title: string; children?: ComponentChildren }) {
  const heading = useRef<HTMLHeadingElement>(null)
  useLayoutEffect(() => {
    document.title = `${isolated(title)} · Player NFTs`
    if (isLater) heading.current?.focus()
    isLater = true
  }, [title])
  return (
    <header>
      <h1 ref={heading} tabIndex={-1}>
        <bdi class="foreign">{title}</bdi>
      </h1>
      {children && <p class="page-lead">{children}</p>}
    </header>
  )
}

/** Whether a view was shown before: a page that is loaded begins at its top. */
let isLater = false

/** A part of a view with a heading of its own. */
export function Card({ title, children }: { title: string; children: ComponentChildren }) {
  const id = useId()
  return (
    <section class="card connect-card stack is-tight" aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      {children}
    </section>
  )
}

/** Why something has not worked, or nothing without an error. Screen readers say it at once. */
export function Trouble({ error }: { error: unknown }) {
  if (error === undefined) return null
  const [title, advice] = failureText(error)
  return (
    <Notice kind="error" title={title}>
      <p>{advice}</p>
    </Notice>
  )
}

const walletFailures: Readonly<Record<Exclude<WalletError['fault'], 'wrongChain'>, FailureText>> = {
  refused: ['You closed the wallet. Nothing happened.', 'Try again.'],
  busy: ['Your wallet already asks you something.', 'Open it, answer, and try again.'],
  wrongAccount: [
    'Your wallet is on another account.',
    'Switch to the right account in your wallet, and try again.',
  ],
  failed: [
    'Your wallet could not do this. Nothing happened.',
    'Open it and see what it says. Then try again.',
  ],
}

const wrongChain = (chain: string): FailureText => [
  'Your wallet is on a chain that does not work here.',
  `Let it switch to ${chainText(chain)}, and try again.`,
]

/** What has happened, and what the player can do about it. */
type FailureText = readonly [title: string, advice: string]

function failureText(error: unknown): FailureText {
  if (error instanceof WalletError) {
    const { fault, chain } = error
    return fault === 'wrongChain' ? wrongChain(chain) : walletFailures[fault]
  }
  if (error instanceof ConnectionError || error instanceof TimeoutError) {
    return ['There was no answer.', 'Check that you are online, and try again.']
  }
  if (!(error instanceof PlayerNftsError)) {
    return ['Something went wrong on this page.', 'Load it again.']
  }
  const sentences = Object.hasOwn(problemSentences, error.code) && problemSentences[error.code]
  return sentences || ['The service cannot do this at the moment.', 'Try again in a minute.']
}

/** Asks before something that cannot be undone. It stays open, and says why, if that fails. */
export function ConfirmDialog({
  title,
  action,
  onConfirm,
  onClose,
  children,
}: {
  title: string
  action: string
  onConfirm: () => Promise<void>
  onClose: () => void
  children: ComponentChildren
}) {
  const { run, isRunning, error } = useAction(() => onConfirm())
  return (
    <Dialog title={title} onClose={onClose}>
      <div class="stack is-close">
        {children}
        <Trouble error={error} />
        <div class="actions">
          <Button kind="danger" isBusy={isRunning} onClick={() => void run()}>
            {action}
          </Button>
          <Button onClick={onClose}>Cancel</Button>
        </div>
      </div>
    </Dialog>
  )
}

/** Where the NFTs of a smart account count. */
export const SmartAccountNote = ({ chain }: { chain: string }) => (
  <p class="soft">
    This is a smart account on {chainText(chain)}. Its NFTs on {chainText(chain)} count.
  </p>
)

/** The beginning and the end of an address, and the chain on which alone the wallet counts. */
export const walletText = ({ address, chain }: Place): string =>
  `${shortAddress(address)}${chain === null ? '' : ` on ${chainText(chain)}`}`

const shortAddress = (address: string): string => `${address.slice(0, 6)}…${address.slice(-4)}`

/** The same on the page, with the whole address when it is pointed at. */
export const WalletName = ({ address, chain }: Place) => (
  <>
    <code title={address}>{shortAddress(address)}</code>
    {chain !== null && ` on ${chainText(chain)}`}
  </>
)
