import type { ComponentChildren } from 'preact'
import type { DailyUsage } from '../../../clients/typescript/src/types.ts'
import { callTotals, type OutcomeClass } from './daily-series.ts'
import { limitRows, type ProductLimit } from './limit-text.ts'
import { operationName } from './operation-name.ts'

const badges: Record<OutcomeClass, string> = {
  succeeded: 'badge is-accent',
  refused: 'badge is-warning',
  failed: 'badge is-danger',
}

/** The calls of all days by operation and outcome. */
export const CallsTable = ({ usage }: { usage: readonly DailyUsage[] }) => (
  <section class="stack card" aria-label="Calls by operation">
    <h2>Calls by operation</h2>
    <TableScroller>
      <table class="table">
        <thead>
          <tr>
            <th scope="col">Operation</th>
            <th scope="col">Outcome</th>
            <th scope="col" class="is-number">
              Calls
            </th>
          </tr>
        </thead>
        <tbody>
          {callTotals(usage).map(({ operation, outcome, class: kind, count }) => (
            <tr key={`${operation} ${outcome}`}>
              <td>{operationName(operation)}</td>
              <td>
                <span class={badges[kind]}>{outcome}</span>
              </td>
              <td class="is-number">{count.toLocaleString('en')}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </TableScroller>
  </section>
)

/** The limits of the product, and how many calls each has refused. */
export function LimitsTable({
  usage,
  limits,
}: {
  usage: readonly DailyUsage[]
  limits: readonly ProductLimit[]
}) {
  const rows = limitRows(limits, usage)
  return (
    <section class="stack card" aria-label="Limits">
      <h2>Limits</h2>
      {rows.length === 0 ? (
        <p class="soft">The operator of this service has set no limits.</p>
      ) : (
        <TableScroller>
          <table class="table">
            <thead>
              <tr>
                <th scope="col">Limit</th>
                <th scope="col">Count</th>
                <th scope="col" class="is-number">
                  Refused calls
                </th>
              </tr>
            </thead>
            <tbody>
              {rows.map(({ name, meaning, count, refused }) => (
                <tr key={name}>
                  <td>
                    {meaning}
                    <div class="mono soft limit-name">{name}</div>
                  </td>
                  <td>{count || 'not set any more'}</td>
                  <td class="is-number">{refused.toLocaleString('en')}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </TableScroller>
      )}
    </section>
  )
}

/** A frame for a table that can be wider than the window. The keyboard scrolls it, too. */
const TableScroller = ({ children }: { children: ComponentChildren }) => (
  // biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard scrolls it
  <div class="table-scroller" tabIndex={0}>
    {children}
  </div>
)
