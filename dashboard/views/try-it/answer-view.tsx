import { useState } from 'preact/hooks'
import { ApiError } from '../../../clients/typescript/src/errors.ts'
import type { StructuredNft } from '../../../clients/typescript/src/types.ts'
import { Button } from '../../components/button.tsx'
import { Failure, Notice, ProblemLink, Progress } from '../../components/feedback.tsx'
import { counted } from '../../shell/counted.ts'
import { describeError } from '../../shell/describe-error.ts'
import { timeAgo } from '../../shell/time-text.ts'
import { useNow } from '../../shell/use-now.ts'
import type { TrySettings } from './call.ts'
import { JsonView } from './json-view.tsx'
import { NftCards } from './nft-cards.tsx'
import { MintHint } from './sample-player.tsx'
import type { AnsweredPage, Answers } from './use-answers.ts'

/** What the game sees: the answer in the chosen form, its facts, and the way to further pages. */
export function AnswerView({
  answers,
  settings: { form, player },
}: {
  answers: Answers
  settings: TrySettings
}) {
  const { pages, isRunning, error } = answers
  const count = pages.reduce((sum, { page }) => sum + page.data.length, 0)
  const hasMore = pages.at(-1)?.page.nextCursor !== undefined
  if (pages.length === 0 && !isRunning && error === undefined) return null
  return (
    <section class="stack" aria-label="Answer" aria-busy={isRunning}>
      {pages.length > 0 && (
        <>
          <h2>{countText(count, hasMore)}</h2>
          {count === 0 && !hasMore && (
            <p class="soft">
              The player’s wallets have none of the NFTs on the{' '}
              <a href="/nfts">allowlist of your game</a>.
            </p>
          )}
          {form === 'structured' && (
            <NftCards nfts={pages.flatMap(({ page }) => page.data as StructuredNft[])} />
          )}
          {pages.map((answered, index) => (
            <AnsweredText
              key={index}
              answered={answered}
              title={pages.length > 1 ? `JSON of page ${index + 1}` : 'JSON'}
              isOpen={form === 'raw' && index === pages.length - 1}
            />
          ))}
        </>
      )}
      {error !== undefined && <Refusal error={error} />}
      {isRunning ? (
        <div class="stack">
          <Progress
            label={pages.length > 0 ? 'Reading further pages…' : 'Waiting for the answer…'}
          />
          <div class="actions">
            <Button onClick={answers.stop}>Stop</Button>
          </div>
        </div>
      ) : (
        pages.length > 0 && (
          <div class="actions">
            {hasMore && <Button onClick={() => answers.readOn('next')}>Next page</Button>}
            {hasMore && <Button onClick={() => answers.readOn('all')}>All pages</Button>}
            <Button onClick={answers.send}>Refresh</Button>
          </div>
        )
      )}
      {pages.length > 0 && player !== undefined && <MintHint player={player} />}
    </section>
  )
}

function countText(count: number, hasMore: boolean): string {
  if (count === 0 && !hasMore) return 'The game sees no NFTs of this player'
  const more = hasMore ? ', and more on the next page' : ''
  return `The game sees ${counted(count, 'NFT')}${more}`
}

function AnsweredText({
  answered: { page, durationMs, at, asOf },
  title,
  isOpen,
}: {
  answered: AnsweredPage
  title: string
  isOpen: boolean
}) {
  const now = useNow(1_000)
  // A closed text costs nothing.
  const [isShown, setIsShown] = useState(isOpen)
  return (
    <details
      class="card answer-text"
      open={isOpen}
      onToggle={(event) => setIsShown(event.currentTarget.open)}
    >
      <summary>
        <span class="answer-title strong">{title}</span>
        <span class="answer-facts hint">
          <span>HTTP {page.status}</span>
          <span>{Math.round(durationMs).toLocaleString('en')} ms</span>
          <span>received {ageText(at, now)}</span>
          {asOf !== undefined && <span>as of {ageText(asOf, now)}</span>}
          {page.requestId && <span class="mono">Request {page.requestId}</span>}
        </span>
      </summary>
      {isShown && <JsonView text={page.text} />}
    </details>
  )
}

/** A failed call as the game gets it: status, code and the whole body. Without an answer, what has happened. */
function Refusal({ error }: { error: unknown }) {
  if (!(error instanceof ApiError)) return <Failure error={error} />
  const { status, requestId, retryAfterSeconds, body } = error
  const { title, advice, code } = describeError(error)
  return (
    <div class="stack">
      <Notice kind="error" title={`The game gets ${[status, code].filter(Boolean).join(' ')}`}>
        <p>
          {title} {advice}
        </p>
        <p class="notice-facts cluster hint">
          {retryAfterSeconds !== undefined && <span>Retry-After: {retryAfterSeconds} s</span>}
          {requestId && <span>Request {requestId}</span>}
          {code && <ProblemLink code={code} />}
        </p>
      </Notice>
      <div class="card answer-text">
        <JsonView text={body} />
      </div>
    </div>
  )
}

/** The age of an answer, which begins with seconds. */
function ageText(at: number, now: number): string {
  const seconds = Math.max(0, Math.floor((now - at) / 1000))
  return seconds < 60 ? `${seconds} s ago` : timeAgo(at, now)
}
