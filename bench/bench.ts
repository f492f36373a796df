// Measures the service: `npm run bench`. Prints one table of all budgets and then the details. Ends with exit code 1 if a budget is not met;
// with `--quick`, if a part fails or a budget of a count is not met.
//
// `npm run bench -- --quick` takes fewer samples; `--only cold|side|kept|large|polls|day` measures one part.

import { mkdtemp, rm } from 'node:fs/promises'
import { cpus, tmpdir, totalmem } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { helpIfAsked } from '@player-nfts/local/help'
import { type ChainMeasurement, chainMeasurement } from './chain/chain.ts'
import { measureColdStarts } from './cold-start/cold-start.ts'
import {
  budgetedFunctionsOf,
  coldStartBudgetOf,
  coldStartBudgets,
  coldStartTable,
} from './cold-start/report.ts'
import { billsOfChains, chainsBudgets } from './day/chains.ts'
import { measureDays } from './day/report.ts'
import { measureKeptReads } from './kept/kept-reads.ts'
import { measureLargeWallets } from './kept/large-wallets.ts'
import { measureTenChains } from './polls/ten-chains.ts'
import { type Budget, budgetTable } from './report.ts'
import { measureAllowlisting } from './side-by-side/sequential-writes.ts'
import { type Surroundings, startSurroundings } from './stubs/surroundings.ts'
import { bundleSubjects, type Subjects } from './subjects/bundles.ts'

interface Part {
  budgets: Budget[]
  tables: Record<string, string>
}

helpIfAsked([
  'Usage: npm run bench [-- --quick] [--only cold|side|kept|large|polls|day]',
  '',
  'Measures the service and checks every budget, in about twenty minutes.',
  '',
  '  --quick  takes fewer samples, which decide no budget of a time',
  '  --only   measures one part',
])

const { values } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    only: { type: 'string' },
  },
})
/** The rounds that a result takes. More than the minimum run while a budget is not decided. */
const rounds = values.quick ? { min: 3, max: 3 } : { min: 21, max: 301 }

const outDir = await mkdtemp(join(tmpdir(), 'player-nfts-bench-'))
try {
  console.log(`${machine()}\n`)
  process.exitCode = await measureAll()
} finally {
  await rm(outDir, { recursive: true, force: true })
}

async function measureAll(): Promise<number> {
  const subjects = await bundleSubjects(outDir)
  const chain = await chainMeasurement(outDir)
  const parts: Record<string, () => Promise<Part>> = {
    cold: () => inSurroundings((surroundings) => coldStarts(subjects, surroundings, chain)),
    side: () => budgetsOf((surroundings) => measureAllowlisting(subjects, surroundings)),
    kept: () => budgetsOf((surroundings) => measureKeptReads(subjects, surroundings)),
    // In a world of their own: the first wallet of a collection decides which metadata its NFTs have.
    large: () => budgetsOf((surroundings) => measureLargeWallets(subjects, surroundings)),
    polls: () => budgetsOf((surroundings) => measureTenChains(subjects, surroundings)),
    day: async () => ({
      budgets: [...(await measureDays()), ...chainsBudgets(await billsOfChains())],
      tables: {},
    }),
  }
  if (values.only && !(values.only in parts)) {
    console.error(`--only takes ${Object.keys(parts).join(', ')}, not ${values.only}`)
    return 1
  }
  const budgets: Budget[] = []
  const tables: Record<string, string> = {}
  for (const [name, measure] of Object.entries(parts)) {
    if (values.only && values.only !== name) continue
    await chain.run()
    const startedAt = performance.now()
    const part = await measure()
    budgets.push(...part.budgets)
    Object.assign(tables, part.tables)
    console.error(`${name}: measured in ${Math.round((performance.now() - startedAt) / 1000)} s`)
  }
  budgets.push(chain.budget())
  console.log(`Budgets\n\n${budgetTable(budgets)}`)
  for (const [heading, table] of Object.entries(tables)) console.log(`\n${heading}\n\n${table}`)
  const missed = budgets.filter(({ isMet }) => !isMet).length
  console.log(`\n${budgets.length - missed} of ${budgets.length} budgets met`)
  const failed = values.quick ? budgets.filter(isMissedCount).length : missed
  return failed > 0 ? 1 : 0
}

/** Whether a budget is missed that few samples decide: it is no time. */
function isMissedCount({ budget, isMet }: Budget): boolean {
  return !isMet && !/[×µ]| ms$/.test(budget)
}

async function coldStarts(
  subjects: Subjects,
  surroundings: Surroundings,
  chain: ChainMeasurement,
): Promise<Part> {
  const { groups, playerNfts } = await budgetedFunctionsOf(subjects)
  const measured = await measureColdStarts(subjects, surroundings, {
    rounds,
    budgetOf: (title) => coldStartBudgetOf(title, groups),
    keeping: playerNfts,
    beforeRound: chain.run,
  })
  return {
    budgets: await coldStartBudgets(measured, subjects, groups),
    tables: {
      'Cold starts: medians, and ratios with the middle half of them': coldStartTable(measured),
    },
  }
}

/** A part that has budgets and no table. */
async function budgetsOf(
  measure: (surroundings: Surroundings) => Promise<Budget[]>,
): Promise<Part> {
  return { budgets: await inSurroundings(measure), tables: {} }
}

async function inSurroundings<Result>(
  use: (surroundings: Surroundings) => Promise<Result>,
): Promise<Result> {
  await using ending = new AsyncDisposableStack()
  return await use(await startSurroundings(ending))
}

function machine(): string {
  const [{ model = 'unknown' } = {}] = cpus()
  const memory = `${Math.round(totalmem() / 2 ** 30)} GiB`
  const today = new Date().toISOString().slice(0, 10)
  return `${cpus().length} × ${model}, ${memory}, ${process.platform}, Node ${process.versions.node}, ${today}`
}
