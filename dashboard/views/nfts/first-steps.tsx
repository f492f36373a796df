import type { DailyUsage } from '../../../clients/typescript/src/types.ts'
import { Icon } from '../../components/icon.tsx'

/** The first steps with a game, and which of them are done. */
export interface FirstSteps {
  hasNfts: boolean
  hasTried: boolean
  /** Whether a game has read a player's NFTs in the days of the usage. */
  hasCalled: boolean
}

const reads: ReadonlySet<string> = new Set(['getRawMetadata', 'getStructuredMetadata'])

/** Judges the first steps by the usage of 30 days, without the `tried` calls of this session. */
export function firstSteps(
  hasNfts: boolean,
  usage: readonly DailyUsage[],
  tried: number,
): FirstSteps {
  const counted = usage
    .flatMap(({ calls }) => calls)
    .filter(({ operation, outcome }) => reads.has(operation) && outcome === 'success')
    .reduce((sum, { count }) => sum + count, 0)
  return { hasNfts, hasTried: tried > 0 || counted > 0, hasCalled: counted > tried }
}

/** What comes first with a new game, in three steps that tick off. */
export function Steps({ hasNfts, hasTried, hasCalled }: FirstSteps) {
  const steps = [
    [hasNfts, 'Add NFTs', '/nfts?add=1', 'Put the NFTs of a contract on the allowlist.'],
    [hasTried, 'Try it', '/try', 'See what your game sees of a player.'],
    [hasCalled, 'Call it from your game', '/try', 'Copy the call for your language.'],
  ] as const
  return (
    <ol class="steps" aria-label="First steps">
      {steps.map(([isDone, title, href, hint]) => (
        <li key={title} class={isDone ? 'is-done' : ''}>
          <span class="step-mark small strong">{isDone && <Icon name="check" />}</span>
          <span>
            <a href={href}>{title}</a>
            {isDone && <span class="visually-hidden"> (done)</span>}
            <span class="hint">{hint}</span>
          </span>
        </li>
      ))}
    </ol>
  )
}
