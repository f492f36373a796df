import type { DailyUsage } from '../../../clients/typescript/src/types.ts'
import { EmptyState } from '../../components/empty-state.tsx'
import { Failure } from '../../components/failure.tsx'
import { PageHeading } from '../../components/page-heading.tsx'
import { Progress } from '../../components/progress.tsx'
import { Segments } from '../../components/segments.tsx'
import { useClient } from '../../shell/client.ts'
import { setQuery, useQuery } from '../../shell/location.ts'
import { useProduct } from '../../shell/product.ts'
import { useLoad } from '../../shell/use-load.ts'
import { dailyNumbers } from './daily-series.ts'
import type { ProductLimit } from './limit-text.ts'
import { UsageCharts } from './usage-charts.tsx'
import { CallsTable, LimitsTable } from './usage-tables.tsx'

const ranges = [7, 30, 90] as const

/** The page Usage: the calls of the product by day, and its limits. */
export function UsageView() {
  const client = useClient()
  const query = useQuery()
  const days = ranges.find((range) => String(range) === query.get('days')) ?? 30
  const product = useProduct()
  const usage = useLoad((signal) => client.getUsage({ days }, { signal }), [client, days])
  const isLoading = usage.isLoading || product.isLoading
  return (
    <>
      <PageHeading title="Usage" actions={<RangeSwitch days={days} />}>
        By day in UTC, with the calls of this dashboard. The newest calls can be missing for a
        minute.
      </PageHeading>
      <div class="stack" aria-busy={isLoading}>
        {[usage, product].map(
          ({ error, reload }, index) =>
            error !== undefined && <Failure key={index} error={error} retry={reload} />,
        )}
        {usage.data && product.data ? (
          <Shown usage={usage.data} limits={product.data.limits ?? []} />
        ) : (
          isLoading && <Progress label="Loading the usage…" />
        )}
      </div>
    </>
  )
}

function Shown({
  usage,
  limits,
}: {
  usage: readonly DailyUsage[]
  limits: readonly ProductLimit[]
}) {
  const isEmpty = dailyNumbers(usage).every(({ calls, indexerCalls }) => calls + indexerCalls === 0)
  return (
    <>
      {isEmpty ? (
        <EmptyState
          title="No calls in these days"
          actions={
            <a class="button" href="/try">
              Try it
            </a>
          }
        >
          The calls of your servers and games appear here.
        </EmptyState>
      ) : (
        <>
          <UsageCharts usage={usage} limits={limits} />
          <CallsTable usage={usage} />
        </>
      )}
      <LimitsTable usage={usage} limits={limits} />
    </>
  )
}

/** The choice of the number of days, which is a part of the address of the page. */
const RangeSwitch = ({ days }: { days: (typeof ranges)[number] }) => (
  <Segments
    label="Days"
    value={days}
    options={ranges.map((range) => ({ value: range, label: `${range} days` }))}
    onValue={(range) => setQuery({ days: String(range) })}
  />
)
