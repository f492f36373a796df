import type { Surroundings } from '../stubs/surroundings.ts'
import type { Subjects } from '../subjects/bundles.ts'
import { type DayPlan, following, simulateDays, walletCount } from './day.ts'
import type { DayScenario, TableUnits } from './report.ts'
import { unitsOfFollower, unitsOfReads } from './units.ts'

/** The plans of the simulated days. */
const plans: readonly { title: string; plan: DayPlan }[] = [
  { title: 'one transfer', plan: { ofWallet: 1 } },
  { title: 'gives an NFT and takes one', plan: { ofWallet: 2 } },
  {
    title: 'one transfer, and a read 10 s after it',
    plan: { ofWallet: 1, readsSoonAfter: true },
  },
]

/** Simulates two days of each plan, and counts the request units of the table. */
export async function measureDays(
  subjects: Subjects,
  surroundings: Surroundings,
): Promise<{ scenarios: DayScenario[]; units: TableUnits }> {
  const scenarios: DayScenario[] = []
  for (const { plan, title } of plans) {
    scenarios.push({ title, days: await simulateDays(2, plan) })
  }
  const units = {
    read: await unitsOfReads(subjects, surroundings),
    followerMinute: await unitsOfFollower(surroundings, following, walletCount),
  }
  return { scenarios, units }
}
