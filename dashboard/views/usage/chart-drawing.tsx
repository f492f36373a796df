import { type ChartDay, type Line, scaleTo, shortDay } from './chart-days.ts'

interface ChartDrawingProps {
  days: readonly ChartDay[]
  lines: readonly Line[]
  chosen: number | undefined
  onChoose: (index: number) => void
}

/** The picture of a chart. Its texts are repeated outside of it, for screen readers. */
export function ChartDrawing({ days, lines, chosen, onChoose }: ChartDrawingProps) {
  const scale = scaleTo(days, lines)
  const highest = scale.at(-1) as number
  const share = (value: number) => `${(value / highest) * 100}%`
  const [first, last] = [days[0], days.at(-1)]
  return (
    <div
      class="chart-drawing"
      aria-hidden="true"
      style={{ paddingLeft: `${highest.toLocaleString('en').length + 1}ch` }}
    >
      <div class="chart-bars">
        {scale.map((value) => (
          <div key={value} class="chart-tick" style={{ bottom: share(value) }}>
            <span>{value.toLocaleString('en')}</span>
          </div>
        ))}
        {days.map(({ day, parts }, index) => (
          <div
            key={day}
            class={`chart-bar${index === chosen ? ' is-chosen' : ''}`}
            onPointerEnter={() => onChoose(index)}
          >
            {parts.map(
              ({ name, value }) =>
                value > 0 && (
                  <div
                    key={name}
                    class={`chart-part is-${name}`}
                    style={{ height: share(value) }}
                  />
                ),
            )}
          </div>
        ))}
        {lines.map(({ name, value }) => (
          <div key={name} class="chart-limit" style={{ bottom: share(value) }}>
            <span>{`${name}: ${value.toLocaleString('en')}`}</span>
          </div>
        ))}
      </div>
      <div class="spread">
        <span>{first && shortDay(first.day)}</span>
        {last !== first && <span>{last && shortDay(last.day)}</span>}
      </div>
    </div>
  )
}
