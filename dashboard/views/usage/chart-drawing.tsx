import { useId } from 'preact/hooks'
import { type ChartDay, type ChartGeometry, shortDay } from './chart-geometry.ts'

/** The space above and below the bars for the texts, in pixels. */
const space = { top: 12, bottom: 22 }

/** The width of a digit of the scale, and the space between its numbers and the bars, in pixels. */
const digitWidth = 6.6
const gap = 8

/** The space that the numbers of a scale take beside the bars, in pixels. */
export const scaleWidth = (highest: number): number =>
  Math.ceil(highest.toLocaleString('en').length * digitWidth) + gap

/** The picture of a chart. Its texts are repeated outside of it, for screen readers. */
export function ChartDrawing({
  geometry,
  days,
  width,
  height,
  left,
  chosen,
  onChoose,
}: {
  geometry: ChartGeometry
  days: readonly ChartDay[]
  width: number
  height: number
  /** The space for the scale, in pixels. The width does not contain it. */
  left: number
  chosen: number | undefined
  onChoose: (index: number) => void
}) {
  const pattern = useId()
  return (
    <svg
      aria-hidden="true"
      width={left + width}
      height={height + space.top + space.bottom}
      viewBox={`${-left} ${-space.top} ${left + width} ${height + space.top + space.bottom}`}
    >
      <Hatching id={pattern} />
      <Scale geometry={geometry} width={width} />
      {geometry.bars.map(({ x, width: barWidth, column, parts }, index) => (
        <g
          key={days[index]?.day}
          class={`chart-bar${index === chosen ? ' is-chosen' : ''}`}
          onPointerEnter={() => onChoose(index)}
        >
          <rect class="chart-column" x={column.x} y={0} width={column.width} height={height} />
          {parts.map(({ name, y, height: partHeight }) => (
            <g key={name}>
              <rect
                class={`chart-part is-${name}`}
                x={x}
                y={y}
                width={barWidth}
                height={partHeight}
              />
              {name === 'refused' && (
                <rect x={x} y={y} width={barWidth} height={partHeight} fill={`url(#${pattern})`} />
              )}
            </g>
          ))}
        </g>
      ))}
      {geometry.lines.map(({ name, value, y }) => (
        <g key={name} class="chart-limit">
          <line x1={0} x2={width} y1={y} y2={y} />
          <text x={width} y={y - 4} text-anchor="end">
            {`${name}: ${value.toLocaleString('en')}`}
          </text>
        </g>
      ))}
      <DayLabels days={days} width={width} y={height + 16} />
    </svg>
  )
}

/** Stripes, so that parts differ by more than their colour. */
const Hatching = ({ id }: { id: string }) => (
  <defs>
    <pattern id={id} width="5" height="5" patternUnits="userSpaceOnUse">
      <path class="chart-hatching" d="M-1 1l2-2M0 5l5-5M4 6l2-2" />
    </pattern>
  </defs>
)

const Scale = ({ geometry, width }: { geometry: ChartGeometry; width: number }) => (
  <g class="chart-scale">
    {geometry.ticks.map(({ value, y }) => (
      <g key={value}>
        <line x1={0} x2={width} y1={y} y2={y} />
        <text x={-gap} y={y + 4}>
          {value.toLocaleString('en')}
        </text>
      </g>
    ))}
  </g>
)

function DayLabels({ days, width, y }: { days: readonly ChartDay[]; width: number; y: number }) {
  const [first, last] = [days[0], days.at(-1)]
  return (
    <g>
      <text x={0} y={y}>
        {first && shortDay(first.day)}
      </text>
      {days.length > 1 && (
        <text x={width} y={y} text-anchor="end">
          {last && shortDay(last.day)}
        </text>
      )}
    </g>
  )
}
