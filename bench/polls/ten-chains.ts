import { coveredChains } from '../../lib/domain/nft/chain.ts'
import { type Run, startFunctionProcess } from '../function-process.ts'
import { atMost, type Budget, fixed } from '../report.ts'
import { quantile } from '../statistics.ts'
import type { Surroundings } from '../stubs/surroundings.ts'
import type { Subjects } from '../subjects/bundles.ts'
import {
  beginKeeping,
  checkKept,
  contractOn,
  type MovingContract,
  polled,
  pollMilliseconds,
} from './polled-chains.ts'

/** Ten chains: one with the busiest permitted contract, one that is silent, one that floods, and others. */
const [busyChain, silentChain, floodedChain] = ['POLYGON', 'ETHEREUM', 'BSC'] as const
const others = coveredChains
  .filter((chain) => ![busyChain, silentChain, floodedChain].some((other) => other === chain))
  .slice(0, 7)
const chains = [busyChain, silentChain, floodedChain, ...others]

/** The share of a core that a function of 256 MB has, and the most memory of its process, in megabytes. */
const shareOfCore = 0.15
const maxMegabytes = 200

/** The sizes of V8's generations in a function of 256 MB: 6 and 90 % of the memory. */
const nodeOptions = ['--max-semi-space-size=15', '--max-old-space-size=230']

/** The first polls, in which snapshots are taken over and code is compiled, and those that are measured. */
const firstPolls = 10
const measuredPolls = 100

/** The polls until another contract begins to flood: one that has too many events in a minute is suspended for an hour. */
const pollsOfFlood = 10

/** Contracts by the events between two polls: 600 a minute are the most that are permitted, and a flood has ten times as many. */
const contracts: Record<'busy' | 'silent' | 'flooding' | 'others', MovingContract[]> = {
  busy: [{ ...contractOn(busyChain, 0), eventsAt: () => 50 }],
  silent: [{ ...contractOn(silentChain, 0), eventsAt: () => 0 }],
  flooding: Array.from({ length: (firstPolls + measuredPolls) / pollsOfFlood }, (_, index) => ({
    ...contractOn(floodedChain, index),
    eventsAt: (poll) => (Math.floor(poll / pollsOfFlood) === index ? 500 : 1),
  })),
  others: others.map((chain) => ({ ...contractOn(chain, 0), eventsAt: () => 5 })),
}

/**
 * The budgets of a step of the follower at 256 MB and 0.15 of a core, with a contract of 600 events a minute and ten chains, of which one is
 * silent and one floods. The steps of all chains run side by side in one process, on stubs with fixed delays. The time of a step
 * is that of all of them: their waiting time, and their processor time divided by the share of the core.
 */
export async function measureTenChains(
  { followStep: subject }: Subjects,
  around: Surroundings,
): Promise<Budget[]> {
  const variables = { ...around.variables, FOLLOWED_CHAINS: chains.join(',') }
  const all = Object.values(contracts).flat()
  const operation = polled(around, all)
  await beginKeeping(all, operation, { subject, variables })
  await using container = await startFunctionProcess(subject, variables, nodeOptions)
  const runs: Run[] = []
  for (let poll = 0; poll < firstPolls + measuredPolls; poll += 1) {
    runs.push(await container.run([operation.event()]))
  }
  await check(variables)
  const times = runs.slice(firstPolls).map(({ milliseconds, cpuMilliseconds }) => {
    return Math.max(0, milliseconds - cpuMilliseconds) + cpuMilliseconds / shareOfCore
  })
  const p99 = quantile(times, 0.99)
  const megabytes = Math.max(...runs.map(({ peakMegabytes }) => peakMegabytes))
  const what = `a step of ${chains.length} chains at ${shareOfCore} of a core`
  const measured = `${fixed(p99)} ms; median ${fixed(quantile(times, 0.5))} ms`
  return [
    atMost(`${what}: 99th percentile`, p99, [pollMilliseconds, 'ms'], measured),
    atMost(`${what}: peak memory`, megabytes, [maxMegabytes, 'MB'], `${fixed(megabytes)} MB`),
  ]
}

/** Throws unless every contract is as it should be at the end. */
async function check(variables: Record<string, string>): Promise<void> {
  const { flooding, ...calm } = contracts
  for (const contract of Object.values(calm).flat()) await checkKept(contract, variables)
  for (const contract of flooding) await checkKept(contract, variables, 'busy')
}
