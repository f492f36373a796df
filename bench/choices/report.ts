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

function buildTable({ variants }: BuildChoices): string {
  const base = variants.find(({ title }) => title === asItIs)
  if (!base) throw new Error('the functions as they are were not measured')
  const rows = variants.map(({ title, bytes, samples }) => {
    const times = (['importMilliseconds', 'firstCallMilliseconds'] as const).flatMap((time) => {
      const milliseconds = samples.map((sample) => sample[time])
      // Of the same round: what the machine does meanwhile falls on both.
      const more = milliseconds.map((own, round) => own - (base.samples[round]?.[time] ?? own))
      return [fixed(median(milliseconds), 1), title === asItIs ? '' : signed(median(more))]
    })
    const name = title === asItIs ? asItIs : `without ${title}`
    return [name, kilobytes(bytes), ...times]
  })
  return markdownTable(['build', 'size', 'import, ms', 'Δ', 'with first call, ms', 'Δ'], rows)
}

const signed = (number: number) => `${number < 0 ? '−' : '+'}${fixed(Math.abs(number), 1)}`

const pair = (a: number, b: number) => `${fixed(a, 1)} / ${fixed(b, 1)}`
