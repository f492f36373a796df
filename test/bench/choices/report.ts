import type { Sample } from '../cold-start/samples.ts'
import { fixed, kilobytes, markdownTable } from '../report.ts'
import { median } from '../statistics.ts'
import { asItIs, type BuildChoices, type Choices } from './choices.ts'

/** What each choice bought, as tables under headings. */
export const choiceTables = ({ build, code }: Choices): Record<string, string> => ({
  ...Object.fromEntries(
    build.map((choices) => [`Cold start of ${choices.functionName}`, buildTable(choices)]),
  ),
  'Warm calls: with the choice / without it': markdownTable(
    ['choice', 'operation', 'p50, ms', 'CPU, ms'],
    code.map(({ title, comparison: { title: operation, measured } }) => [
      title,
      operation,
      pair(measured.ours.p50, measured.naive.p50),
      pair(measured.ours.cpuMilliseconds, measured.naive.cpuMilliseconds),
    ]),
  ),
})

type Time = 'importMilliseconds' | 'firstCallMilliseconds'

function buildTable({ variants }: BuildChoices): string {
  const base = variants.find(({ title }) => title === asItIs)
  if (!base) throw new Error('the functions as they are were not measured')
  const medianOf = (samples: readonly Sample[], time: Time) =>
    median(samples.map((sample) => sample[time]))
  const rows = variants.map(({ title, bytes, samples }) => {
    const times = (['importMilliseconds', 'firstCallMilliseconds'] as const).flatMap((time) => {
      const milliseconds = medianOf(samples, time)
      const more = milliseconds - medianOf(base.samples, time)
      return [fixed(milliseconds, 1), samples === base.samples ? '' : signed(more)]
    })
    const name = samples === base.samples ? asItIs : `without ${title}`
    return [name, kilobytes(bytes), ...times]
  })
  return markdownTable(['build', 'size', 'import, ms', 'Δ', 'with first call, ms', 'Δ'], rows)
}

const signed = (number: number) => `${number < 0 ? '−' : '+'}${fixed(Math.abs(number), 1)}`

const pair = (a: number, b: number) => `${fixed(a, 1)} / ${fixed(b, 1)}`
