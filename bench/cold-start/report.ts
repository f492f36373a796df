import { routes } from '../../functions/operations.ts'
import { functionName, type Route } from '../../lib/contract/route.ts'
import { type Budget, fixed, kilobytes, markdownTable, ratioText } from '../report.ts'
import type { Spread } from '../statistics.ts'
import type { Subjects } from '../subjects/bundles.ts'
import { type ColdStart, type ColdStartBudget, keptTitle } from './cold-start.ts'
import { filesIn, forbiddenModulesIn } from './forbidden-modules.ts'

const importToB0 = 0.47
const firstCallToB0 = 0.8

/** The first call of a function that only reads is compared with one request. */
const readingBudget: ColdStartBudget = { importToB0, firstCallToB0 }

/** A change takes several rounds, because its writes have an order and a record (D46, D49). */
const changingBudget: ColdStartBudget = { importToB0, firstCallToB0InRounds: firstCallToB0 }

/** The first call that asks the indexer reads its key and loads alchemy-sdk beside the reads of the caller. */
const playerNftsBudget = {
  importToB0: 0.57,
  importToNaive: 0.25,
  firstCallToB0: 1,
} satisfies ColdStartBudget

/** A refresh asks the indexer for the metadata before and after it. */
const refreshName = 'refresh-metadata'
const refreshBudget = { firstCallToB0: 1.1 } satisfies ColdStartBudget

/** The first call that reads kept contracts does not call the indexer. */
const keptBudget = { firstCallToB0: 1 } satisfies ColdStartBudget

/** The maximum size of a bundle, in bytes. */
export const maxBundleBytes = 450_000

/** The functions that have a cold-start budget. */
interface BudgetedFunctions {
  /** The functions that call DynamoDB and no other service. */
  readonly dynamodbOnly: readonly string[]
  /** The functions that read a player's NFTs. */
  readonly playerNfts: readonly string[]
}

/** Finds the functions that have a cold-start budget, by the files in their bundles. */
export async function budgetedFunctionsOf({ ours }: Subjects): Promise<BudgetedFunctions> {
  const bundles = await Promise.all(
    Object.entries(ours).map(async ([name, { file }]) => ({ name, files: await filesIn(file) })),
  )
  const namesOf = (isInGroup: (files: string) => boolean) =>
    bundles.filter(({ files }) => isInGroup(files.join('\n'))).map(({ name }) => name)
  return {
    dynamodbOnly: namesOf((files) => dynamodb.test(files) && !otherServices.test(files)),
    playerNfts: namesOf((files) => /functions\/composition\/player-nfts-ports\.ts$/m.test(files)),
  }
}

const dynamodb = /lib\/adapters\/dynamodb\//
const otherServices = /lib\/adapters\/(kms|sqs|secrets)\/|node_modules\/(alchemy-sdk|jose)\//

/** Whether a function only reads, according to the method of its route. */
const isReading = (name: string): boolean =>
  Object.values<Route>(routes).some(
    ({ id, method }) => functionName(id) === name && method === 'GET',
  )

/** The cold-start budget of a function. */
export const coldStartBudgetOf =
  ({ dynamodbOnly, playerNfts }: BudgetedFunctions) =>
  (name: string): ColdStartBudget => {
    if (dynamodbOnly.includes(name)) return isReading(name) ? readingBudget : changingBudget
    if (playerNfts.map(keptTitle).includes(name)) return keptBudget
    if (name === refreshName) return refreshBudget
    return playerNfts.includes(name) ? playerNftsBudget : {}
  }

/** The budgets of cold starts. The slowest function of each group counts. */
export async function coldStartBudgets(
  coldStarts: readonly ColdStart[],
  subjects: Subjects,
  { dynamodbOnly, playerNfts }: BudgetedFunctions,
): Promise<Budget[]> {
  const worstOf = (names: readonly string[], what: string) =>
    worst(
      coldStarts.filter(({ name }) => names.includes(name)),
      what,
    )
  const alone = 'DynamoDB-only functions'
  const player = 'player-NFT functions'
  const reading = dynamodbOnly.filter(isReading)
  const changing = dynamodbOnly.filter((name) => !isReading(name))
  return [
    worstOf(dynamodbOnly, `${alone}: import`)(importToB0, 'B0', ({ importToB0 }) => importToB0),
    worstOf(reading, `${alone} that read: import + first call`)(
      firstCallToB0,
      'B0',
      ({ firstCallToB0 }) => firstCallToB0,
    ),
    worstOf(changing, `${alone} that change something: import + first call`)(
      firstCallToB0,
      'B0 in as many rounds',
      ({ firstCallToB0InRounds }) => firstCallToB0InRounds,
    ),
    worstOf(playerNfts, `${player}: import`)(
      playerNftsBudget.importToB0,
      'B0',
      ({ importToB0 }) => importToB0,
    ),
    worstOf(playerNfts, `${player}: import`)(
      playerNftsBudget.importToNaive,
      'naive',
      ({ importToNaive }) => importToNaive,
    ),
    worstOf(playerNfts, `${player}, which ask the indexer: import + first call`)(
      playerNftsBudget.firstCallToB0,
      'B0',
      ({ firstCallToB0 }) => firstCallToB0,
    ),
    worstOf([refreshName], 'refresh of metadata: import + first call')(
      refreshBudget.firstCallToB0,
      'B0',
      ({ firstCallToB0 }) => firstCallToB0,
    ),
    worstOf(playerNfts.map(keptTitle), `${player}, kept: import + first call`)(
      keptBudget.firstCallToB0,
      'B0',
      ({ firstCallToB0 }) => firstCallToB0,
    ),
    largestBundle(subjects),
    await forbiddenModules(coldStarts, subjects),
  ]
}

const worst =
  (coldStarts: readonly ColdStart[], what: string) =>
  (limit: number, other: string, ratio: (start: ColdStart) => Spread | undefined): Budget => {
    const measured = coldStarts.flatMap((start) => {
      const spread = ratio(start)
      return spread ? [{ name: start.name, spread }] : []
    })
    const [most] = measured.sort((a, b) => b.spread.median - a.spread.median)
    if (!most) throw new Error(`nothing was measured of ${what}`)
    return {
      what,
      budget: `≤ ${limit} × ${other}`,
      measured: `${ratioText(most.spread)} ${most.name}`,
      isMet: most.spread.median <= limit,
    }
  }

function largestBundle({ ours }: Subjects): Budget {
  const sizes = Object.entries(ours).map(([name, { bytes }]) => ({ name, bytes }))
  const [largest] = sizes.sort((a, b) => b.bytes - a.bytes)
  if (!largest) throw new Error('there are no bundles')
  return {
    what: 'largest bundle, minified',
    budget: `≤ ${kilobytes(maxBundleBytes)}`,
    measured: `${kilobytes(largest.bytes)} ${largest.name}`,
    isMet: largest.bytes <= maxBundleBytes,
  }
}

async function forbiddenModules(
  coldStarts: readonly ColdStart[],
  { ours }: Subjects,
): Promise<Budget> {
  const bundled = await Promise.all(Object.values(ours).map(({ file }) => forbiddenModulesIn(file)))
  const loaded = coldStarts.some(({ hasLoadedUndici }) => hasLoadedUndici) ? ['undici'] : []
  const found = [...new Set([...bundled.flat(), ...loaded])]
  return {
    what: 'undici, axios, ethers, websockets, the AWS SDK after import + first call',
    budget: 'none',
    measured: found.join(', ') || 'none',
    isMet: found.length === 0,
  }
}

/** A table of all cold starts. */
export const coldStartTable = (coldStarts: readonly ColdStart[]): string =>
  markdownTable(
    [
      ...['function', 'import, ms', '× B0', '× naive', 'with first call, ms', '× B0', 'rounds'],
      ...['× B0 in rounds', 'samples'],
    ],
    coldStarts.map(({ importToNaive, firstCallToB0InRounds, ...start }) => [
      start.name,
      fixed(start.importMilliseconds, 1),
      ratioText(start.importToB0),
      importToNaive ? ratioText(importToNaive) : '–',
      fixed(start.firstCallMilliseconds, 1),
      ratioText(start.firstCallToB0),
      String(start.requestRounds),
      firstCallToB0InRounds ? ratioText(firstCallToB0InRounds) : '–',
      String(start.samples),
    ]),
  )
