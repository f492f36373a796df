import { routes } from '../../functions/operations.ts'
import { functionName, type Route } from '../../lib/contract/route.ts'
import { atMost, type Budget, fixed, kilobytes, markdownTable, ratioText } from '../report.ts'
import type { Subjects } from '../subjects/bundles.ts'
import { type ColdStart, type ColdStartBudget, keptTitle, type Ratio } from './cold-start.ts'
import { filesIn, forbiddenModulesIn } from './forbidden-modules.ts'

export const maxBundleBytes = 450_000

/** Finds the groups of functions that have a cold-start budget, and those that read a player's NFTs, by the files in their bundles. */
export async function budgetedFunctionsOf({ ours }: Subjects) {
  const bundles = await Promise.all(
    Object.entries(ours).map(async ([name, { file }]) => ({ name, files: await filesIn(file) })),
  )
  const namesOf = (isInGroup: (files: string) => boolean) =>
    bundles.filter(({ files }) => isInGroup(files.join('\n'))).map(({ name }) => name)
  const dynamodbOnly = namesOf((files) => dynamodb.test(files) && !otherServices.test(files))
  const playerNfts = namesOf((files) => playerNftsPorts.test(files))
  return { playerNfts, groups: groupsOf(dynamodbOnly, playerNfts) }
}

const dynamodb = /lib\/adapters\/dynamodb\//
const playerNftsPorts = /functions\/composition\/player-nfts-ports\.ts$/m
const otherServices = /lib\/adapters\/(kms|sqs|secrets)\/|node_modules\/(alchemy-sdk|jose)\//

/** Whether a function only reads, according to the method of its route. */
const isReading = (name: string): boolean =>
  Object.values<Route>(routes).some(
    ({ id, method }) => functionName(id) === name && method === 'GET',
  )

const refreshName = 'refresh-metadata'

/** Functions, by what the table calls them, with the budget of each. */
type Group = readonly [what: string, names: readonly string[], budget: ColdStartBudget]

function groupsOf(dynamodbOnly: readonly string[], playerNfts: readonly string[]): Group[] {
  const [alone, player] = ['DynamoDB-only functions', 'player-NFT functions']
  const reading = dynamodbOnly.filter(isReading)
  const changing = dynamodbOnly.filter((name) => !isReading(name))
  return [
    [alone, dynamodbOnly, { importToB0: 0.47 }],
    // The first call of a function that only reads is compared with one request.
    [`${alone} that read`, reading, { firstCallToB0: 0.8 }],
    // A change takes several rounds, because its writes have an order and a record (D46, D49).
    [`${alone} that change something`, changing, { firstCallToB0InRounds: 0.8 }],
    [player, playerNfts, { importToB0: 0.57, importToNaive: 0.25 }],
    // The first call that asks the indexer reads its key and loads alchemy-sdk beside the reads of the caller.
    [`${player}, which ask the indexer`, playerNfts, { firstCallToB0: 1 }],
    // A refresh asks the indexer for the metadata before and after it.
    ['refresh of metadata', [refreshName], { firstCallToB0: 1.1 }],
    // The first call that reads kept contracts does not call the indexer.
    [`${player}, kept`, playerNfts.map(keptTitle), { firstCallToB0: 1 }],
  ]
}

/** The cold-start budget of a function in these groups. */
export const coldStartBudgetOf = (name: string, groups: readonly Group[]): ColdStartBudget =>
  Object.assign({}, ...groups.map(([, names, budget]) => names.includes(name) && budget))

/** The budgets of cold starts. The slowest function of each group counts. */
export async function coldStartBudgets(
  coldStarts: readonly ColdStart[],
  subjects: Subjects,
  groups: readonly Group[],
): Promise<Budget[]> {
  const worstOfGroups = groups.flatMap(([what, names, budget]) => {
    const starts = coldStarts.filter(({ name }) => names.includes(name))
    return Object.entries(budget).map(([ratio, limit]) =>
      worst(starts, what, ratio as Ratio, limit),
    )
  })
  return [...worstOfGroups, largestBundle(subjects), await forbiddenModules(coldStarts, subjects)]
}

/** What the table calls each ratio: the time, and to what it is. */
const ratioTexts: Readonly<Record<Ratio, readonly [time: string, other: string]>> = {
  importToB0: ['import', 'B0'],
  firstCallToB0: ['import + first call', 'B0'],
  firstCallToB0InRounds: ['import + first call', 'B0 in as many rounds'],
  importToNaive: ['import', 'naive'],
}

function worst(
  coldStarts: readonly ColdStart[],
  what: string,
  ratio: Ratio,
  limit: number,
): Budget {
  const measured = coldStarts.flatMap(({ name, ratios: { [ratio]: spread } }) =>
    spread ? [{ name, spread }] : [],
  )
  const [most] = measured.sort((a, b) => b.spread.median - a.spread.median)
  if (!most) throw new Error(`nothing was measured of ${what}`)
  const [time, other] = ratioTexts[ratio]
  const slowest = `${ratioText(most.spread)} ${most.name}`
  return atMost(`${what}: ${time}`, most.spread.median, [limit, `× ${other}`], slowest)
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

export const coldStartTable = (coldStarts: readonly ColdStart[]): string =>
  markdownTable(
    [
      ...['function', 'import, ms', '× B0', '× naive', 'with first call, ms', '× B0', 'rounds'],
      ...['× B0 in rounds', 'samples'],
    ],
    coldStarts.map(({ ratios, ...start }) => [
      start.name,
      fixed(start.importMilliseconds, 1),
      ratioText(ratios.importToB0),
      ratioText(ratios.importToNaive),
      fixed(start.firstCallMilliseconds, 1),
      ratioText(ratios.firstCallToB0),
      String(start.requestRounds),
      ratioText(ratios.firstCallToB0InRounds),
      String(start.samples),
    ]),
  )
