import type { ComponentChildren } from 'preact'
import type { DailyUsage, Product } from '../../../clients/typescript/src/types.ts'
import { NumberCell, Table } from '../../components/table.tsx'
import { limitAmount, limitMeaning } from '../../shell/limit-words.ts'
import { callTotals, limitedTotals, type OutcomeClass, outcomeClass } from './daily-series.ts'

const badges: Record<OutcomeClass, string> = {
  succeeded: 'badge is-accent',
  refused: 'badge is-warning',
  failed: 'badge is-danger',
}

export const CallsTable = ({ usage }: Pick<UsageProps, 'usage'>) => (
  <section class="stack card" aria-label="Calls by operation">
    <h2>Calls by operation</h2>
    <TableScroller>
      <Table columns={['Operation', 'Outcome']} numbers={['Calls']}>
        {callTotals(usage).map(({ operation, outcome, count }) => (
          <tr key={`${operation} ${outcome}`}>
            <td>{operationName(operation)}</td>
            <td>
              <span class={badges[outcomeClass(outcome)]}>{outcome}</span>
            </td>
            <NumberCell value={count} />
          </tr>
        ))}
      </Table>
    </TableScroller>
  </section>
)

/** The limits of the product, and how many calls each has refused. */
export function LimitsTable({ usage, limits }: UsageProps) {
  const rows = limitRows(limits, usage)
  return (
    <section class="stack card" aria-label="Limits">
      <h2>Limits</h2>
      {rows.length === 0 ? (
        <p class="soft">The operator of this service has set no limits.</p>
      ) : (
        <TableScroller>
          <Table columns={['Limit', 'Count']} numbers={['Refused calls']}>
            {rows.map(({ name, meaning, count, refused }) => (
              <tr key={name}>
                <td>
                  {meaning}
                  <div class="mono hint">{name}</div>
                </td>
                <td>{count}</td>
                <NumberCell value={refused} />
              </tr>
            ))}
          </Table>
        </TableScroller>
      )}
    </section>
  )
}

/** A frame for a table that can be wider than the window. The keyboard scrolls it, too. */
const TableScroller = ({ children }: { children: ComponentChildren }) => (
  // biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard scrolls it
  <div class="scroller" tabIndex={0}>
    {children}
  </div>
)

type ProductLimit = NonNullable<Product['limits']>[number]

export interface UsageProps {
  usage: readonly DailyUsage[]
  limits: readonly ProductLimit[]
}

/** The limits of the product, and those that refused calls in these days. */
export function limitRows(limits: readonly ProductLimit[], usage: readonly DailyUsage[]) {
  const amounts = new Map<string, string>(limits.map((limit) => [limit.name, limitAmount(limit)]))
  const refused = limitedTotals(usage)
  return [...new Set([...amounts.keys(), ...refused.keys()])].map((name) => ({
    name,
    meaning: limitMeaning(name),
    count: amounts.get(name) ?? 'not set any more',
    refused: refused.get(name) ?? 0,
  }))
}

/** The summaries of the operations by their ids, which the build takes from the OpenAPI document. */
declare const OPERATION_NAMES: Readonly<Record<string, string>>

/** What people call an operation. One of a later version of the service is its id. */
const operationName = (operation: string): string =>
  Object.hasOwn(OPERATION_NAMES, operation) ? (OPERATION_NAMES[operation] as string) : operation
