import { useState } from 'preact/hooks'
import { NumberCell, Table } from '../../components/table.tsx'
import { type ChartDay, type Line, longDay, totalOf } from './chart-geometry.ts'

/** The numbers of a chart as a table, which is rendered when it is opened. The latest day is first. */
export function ChartTable({
  title,
  unit,
  days,
  lines,
}: {
  title: string
  unit: string
  days: readonly ChartDay[]
  lines: readonly Line[]
}) {
  const [isOpen, setIsOpen] = useState(false)
  return (
    <details class="chart-table" onToggle={(event) => setIsOpen(event.currentTarget.open)}>
      <summary class="hint">
        Table<span class="visually-hidden"> of {title.toLowerCase()} by day</span>
      </summary>
      {isOpen && (
        <>
          {lines.map(({ name, value }) => (
            <p key={name}>
              {name}: {value.toLocaleString('en')}
            </p>
          ))}
          <Rows unit={unit} days={days} />
        </>
      )}
    </details>
  )
}

function Rows({ unit, days }: { unit: string; days: readonly ChartDay[] }) {
  const names = days[0]?.parts.map(({ name }) => name) ?? []
  const parts = names.length > 1 ? names : []
  return (
    <Table columns={['Day (UTC)']} numbers={[unit, ...parts]}>
      {days.toReversed().map((day) => (
        <tr key={day.day}>
          <th scope="row">{longDay(day.day)}</th>
          <NumberCell value={totalOf(day)} isEstimate={day.isEstimate ?? false} />
          {parts.length > 0 &&
            day.parts.map(({ name, value }) => <NumberCell key={name} value={value} />)}
        </tr>
      ))}
    </Table>
  )
}
