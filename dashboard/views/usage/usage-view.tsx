import { EmptyState, Failure, LoadState, Notice } from '../../components/feedback.tsx'
import { PageHeading } from '../../components/page-heading.tsx'
import { Segments } from '../../components/segments.tsx'
import { UtcDay } from '../../components/time.tsx'
import { setQuery, useQuery } from '../../shell/location.ts'
import { useClient, useProduct, useShell } from '../../shell/shell-context.ts'
import { useLoad } from '../../shell/use-load.ts'
import { dailyNumbers } from './daily-series.ts'
import { UsageCharts } from './usage-charts.tsx'
import { CallsTable, LimitsTable, type UsageProps } from './usage-tables.tsx'

const ranges = [7, 30, 90] as const

/** The page Usage: the calls of the product by day, and its limits. */
export function UsageView() {
  const client = useClient()
  const query = useQuery()
  const days = ranges.find((range) => String(range) === query.get('days')) ?? 30
  const product = useProduct()
  const usage = useLoad((signal) => client.getUsage({ days }, { signal }), [client, days])
  const isLoading = usage.isLoading || product.isLoading
  const data = usage.data &&
    product.data && { usage: usage.data, limits: product.data.limits ?? [] }
  return (
    <>
      <PageHeading
        title="Usage"
        actions={
          <Segments
            label="Days"
            value={days}
            options={ranges.map((range) => ({ value: range, label: `${range} days` }))}
            onValue={(range) => setQuery({ days: String(range) })}
          />
        }
      >
        By day in UTC, with the calls of this dashboard. A call appears here after the next one, and
        within a minute. Refused calls are mistakes of the caller or over a limit; failed ones are
        faults of the service.
      </PageHeading>
      <div class="stack" aria-busy={isLoading}>
        <Failure error={product.error} retry={product.reload} />
        <SampleNote />
        <LoadState loaded={{ ...usage, isLoading, data }} label="Loading the usage…" />
        {data && <Shown {...data} />}
      </div>
    </>
  )
}

/** Says which days are invented. Only the sample product of the local stack has such days. */
function SampleNote() {
  const { config, session } = useShell()
  const { sampleApiKey, sampleUsageUntil } = config
  if (sampleUsageUntil === undefined || session.apiKey !== sampleApiKey) return null
  return (
    <Notice kind="info">
      <p>
        The days up to <UtcDay day={sampleUsageUntil} /> are sample data.
      </p>
    </Notice>
  )
}

function Shown({ usage, limits }: UsageProps) {
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
