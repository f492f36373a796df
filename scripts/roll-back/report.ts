import { type Deployment, deploymentsOf, liveIds, type Plan } from './deployments.ts'
import type { LiveFunction, Version } from './live-functions.ts'

const timeOf = ({ publishedAt }: Deployment): string =>
  `${publishedAt.slice(0, 16).replace('T', ' ')} UTC`

/** A line for each deployment, the newest first. */
export function listLines(functions: readonly LiveFunction[]): string[] {
  const live = liveIds(functions)
  const deployed = new Set(functions.map((each) => each.deployed))
  const lines = deploymentsOf(functions).map((each) => {
    const marks = [
      ...(live.includes(each.id) ? [live.length > 1 ? 'live in part' : 'live'] : []),
      ...(deployed.has(each.id) && !live.includes(each.id) ? ['rolled back'] : []),
    ]
    return `${each.id}  ${timeOf(each)}  ${String(each.versions.size).padStart(9)}  ${marks.join(', ')}`
  })
  return ['deployment    published (latest)    functions', ...lines.map((line) => line.trimEnd())]
}

/** What a roll-back changes. */
export function planLines(to: Deployment, plan: Plan): string[] {
  const { moves, newer, variables, silent, doubts } = plan
  const width = Math.max(0, ...moves.map(({ liveFunction }) => liveFunction.name.length))
  return [
    `To the deployment ${to.id}, published ${timeOf(to)}:`,
    '',
    ...moves.map((move) => `  ${move.liveFunction.name.padEnd(width)}  ${changesOf(move)}`),
    ...(moves.length === 0 ? ['  Every function has this version already.'] : []),
    ...newer.map(({ name }) => `  ${name}  stays: the deployment did not have this function`),
    '',
    ...(moves.length > 0 && !moves.some(changesSize)
      ? ['No memory and no timeout changes.', '']
      : []),
    ...(variables.length > 0 ? [`Variables that change: ${variables.join(', ')}`, ''] : []),
    ...(silent.length > 0
      ? [
          `These functions will write no log lines and no metrics, because their roles may not write into the log groups of the deployment ${to.id} any more, and alarms may be wrong: ${silent.join(', ')}`,
          '',
        ]
      : []),
    ...doubts.flatMap((doubt) => [doubt, '']),
  ]
}

type Move = Plan['moves'][number]

/** What a version keeps of the size of its function, for people. */
const sizesOf = ({ memoryMegabytes, timeoutSeconds }: Version) => [
  { name: 'memory', value: memoryMegabytes, unit: 'MB' },
  { name: 'timeout', value: timeoutSeconds, unit: 's' },
]

/** The version, the memory and the timeout of a function, as far as they change. */
function changesOf({ liveFunction: { live }, to }: Move): string {
  const before = sizesOf(live)
  const sizes = sizesOf(to).flatMap(({ name, value, unit }, index) =>
    value === before[index]?.value ? [] : [`${name} ${before[index]?.value} -> ${value} ${unit}`],
  )
  return [`version ${live.number} -> ${to.number}`, ...sizes].join(', ')
}

const changesSize = ({ liveFunction: { live }, to }: Move): boolean =>
  live.memoryMegabytes !== to.memoryMegabytes || live.timeoutSeconds !== to.timeoutSeconds

/** How long the functions run the versions of a deployment, and what a deploy that fails would do. */
export function untilWhen({ id }: Deployment, functions: readonly LiveFunction[]): string {
  const deployed = [...new Set(functions.map((each) => each.deployed))]
  if (deployed.every((each) => each === id)) {
    return 'This is what was deployed last, so no roll-back is in effect.'
  }
  return [
    'Your next deploy that changes a function ends the roll-back.',
    `If it fails, CloudFormation restores the deployment ${deployed.join(' and ')}: then repeat this command with --to ${id}.`,
  ].join(' ')
}
