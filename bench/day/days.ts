import type { Surroundings } from '../stubs/surroundings.ts'
import type { Subjects } from '../subjects/bundles.ts'
import { type DayPlan, following, simulateDays, walletCount } from './day.ts'
import type { DayScenario, TableUnits } from './report.ts'
import { unitsOfFollower, unitsOfReads } from './units.ts'

/** The plans of the simulated days, and the days of each that have a budget. */
const plans: readonly { title: string; plan: DayPlan; budgeted: readonly number[] }[] = [
  { title: 'one transfer', plan: { ofWallet: 1 }, budgeted: [0, 1] },
  // On the first day, nothing is kept. With twice as many movements, that day alone is not typical.
  { title: 'gives an NFT and takes one', plan: { ofWallet: 2 }, budgeted: [1] },
  {
    title: 'one transfer, and a read 10 s after it',
    plan: { ofWallet: 1, readsSoonAfter: true },
    budgeted: [],
  },
]

/** Simulates two days of each plan, and counts the request units that remembering adds to the table. */
export async function measureDays(
  subjects: Subjects,
  surroundings: Surroundings,
): Promise<{ scenarios: DayScenario[]; units: TableUnits }> {
  const scenarios: DayScenario[] = []
  for (const { plan, ...scenario } of plans) {
    scenarios.push({ ...scenario, days: await simulateDays(2, plan) })
  }
  const units = {
    reads: await unitsOfReads(subjects, surroundings),
    followerMinute: await unitsOfFollower(surroundings, following, walletCount),
  }
  return { scenarios, units }
}
