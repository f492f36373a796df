import type { ComponentChildren } from 'preact'
import { Icon } from '../../components/icon.tsx'
import type { FirstSteps } from './first-steps.ts'

/** What comes first with a new game, in three steps that tick off. */
export const Steps = ({ hasNfts, hasTried, hasCalled }: FirstSteps) => (
  <ol class="steps" aria-label="First steps">
    <Step isDone={hasNfts} title="Add NFTs" href="/nfts?add=1">
      Put the NFTs of a contract on the allowlist.
    </Step>
    <Step isDone={hasTried} title="Try it" href="/try">
      See what your game sees of a player.
    </Step>
    <Step isDone={hasCalled} title="Call it from your game" href="/try">
      Copy the call for your language.
    </Step>
  </ol>
)

const Step = ({
  isDone,
  title,
  href,
  children,
}: {
  isDone: boolean
  title: string
  href: string
  children: ComponentChildren
}) => (
  <li class={isDone ? 'is-done' : ''}>
    <span class="step-mark">{isDone && <Icon name="check" />}</span>
    <span>
      <a href={href}>{title}</a>
      {isDone && <span class="visually-hidden"> (done)</span>}
      <span class="soft">{children}</span>
    </span>
  </li>
)
