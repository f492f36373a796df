import { type Budget, fixed, kilobytes, markdownTable, ratioText } from '../report.ts'
import type { Subjects } from '../subjects/bundles.ts'
import type { ColdStart, ColdStartBudget, Ratios } from './cold-start.ts'
import { filesIn, forbiddenModulesIn } from './forbidden-modules.ts'

const dynamodbOnlyBudget = { importToB0: 0.62, firstCallToB0: 0.8 } satisfies ColdStartBudget
const playerNftsBudget = { importToB0: 0.8, importToNaive: 0.25 } satisfies ColdStartBudget

/** The maximum size of a bundle, in bytes. */
export const maxBundleBytes = 450_000

/** The functions that have a cold-start budget. */
export interface BudgetedFunctions {
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
    dynamodbOnly: namesOf((files) => /client-dynamodb\//.test(files) && !otherServices.test(files)),
    playerNfts: namesOf((files) => /functions\/composition\/player-nfts-ports\.ts$/m.test(files)),
  }
}

const otherServices = /@aws-sdk\/client-(?!dynamodb\/)|node_modules\/(alchemy-sdk|jose)\//

/** The cold-start budget of a function. */
export const coldStartBudgetOf =
  ({ dynamodbOnly, playerNfts }: BudgetedFunctions) =>
  (name: string): ColdStartBudget => {
    if (dynamodbOnly.includes(name)) return dynamodbOnlyBudget
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
  const dynamodb = 'DynamoDB-only functions'
  const player = 'player-NFT functions'
  return [
    worstOf(dynamodbOnly, `${dynamodb}: import`)(dynamodbOnlyBudget.importToB0, 'B0', 'import'),
    worstOf(dynamodbOnly, `${dynamodb}: import + first call`)(
      dynamodbOnlyBudget.firstCallToB0,
      'B0',
      'firstCall',
    ),
    worstOf(playerNfts, `${player}: import`)(playerNftsBudget.importToB0, 'B0', 'import'),
    worstOf(playerNfts, `${player}: import`)(playerNftsBudget.importToNaive, 'naive', 'import'),
    largestBundle(subjects),
    await forbiddenModules(coldStarts, subjects),
  ]
}

const worst =
  (coldStarts: readonly ColdStart[], what: string) =>
  (limit: number, other: 'B0' | 'naive', time: keyof Ratios): Budget => {
    const measured = coldStarts.flatMap(({ name, toB0, toNaive }) => {
      const ratios = other === 'B0' ? toB0 : toNaive
      return ratios ? [{ name, spread: ratios[time] }] : []
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
    what: 'undici, axios, ethers, websockets, SSO and INI providers after import + first call',
    budget: 'none',
    measured: found.join(', ') || 'none',
    isMet: found.length === 0,
  }
}

/** A table of all cold starts. */
export const coldStartTable = (coldStarts: readonly ColdStart[]): string =>
  markdownTable(
    [
      'function',
      'size',
      'import, ms',
      '× B0',
      '× naive',
      'with first call, ms',
      '× B0',
      '× naive',
      'CPU × B0',
      'rounds',
    ],
    coldStarts.map(({ name, bytes, rounds, toB0, toNaive, ...milliseconds }) => [
      name,
      kilobytes(bytes),
      fixed(milliseconds.importMilliseconds, 1),
      ratioText(toB0.import),
      toNaive ? ratioText(toNaive.import) : '–',
      fixed(milliseconds.firstCallMilliseconds, 1),
      ratioText(toB0.firstCall),
      toNaive ? ratioText(toNaive.firstCall) : '–',
      fixed(toB0.firstCallCpu.median, 2),
      String(rounds),
    ]),
  )
