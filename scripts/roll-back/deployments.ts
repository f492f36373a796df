import type { VariableName } from '../../lib/settings/setting-table.ts'
import type { LiveFunction, Version } from './live-functions.ts'

/** A deployment whose versions are still there. */
export interface Deployment {
  readonly id: string
  /** The time of its last version, ISO 8601 in UTC. */
  readonly publishedAt: string
  readonly versions: ReadonlyMap<LiveFunction, Version>
}

/** The deployments of a stack, the newest first. */
export function deploymentsOf(functions: readonly LiveFunction[]): Deployment[] {
  const ids = new Set(
    functions.flatMap((each) => each.versions.map(({ deployment }) => deployment)),
  )
  return [...ids].map((id) => deployment(id, functions)).toSorted(newestFirst)
}

const newestFirst = (a: Deployment, b: Deployment) => b.publishedAt.localeCompare(a.publishedAt)

function deployment(id: string, functions: readonly LiveFunction[]): Deployment {
  const versions = new Map<LiveFunction, Version>()
  for (const each of functions) {
    // The newest, if the same code and settings were deployed again.
    const version = each.versions.find(({ deployment }) => deployment === id)
    if (version) versions.set(each, version)
  }
  const times = [...versions.values()].map(({ publishedAt }) => publishedAt)
  return { id, publishedAt: times.toSorted().at(-1) ?? '', versions }
}

/** The deployments that serve requests: one, except after a roll-back that did not move every function. */
export const liveIds = (functions: readonly LiveFunction[]): string[] => [
  ...new Set(functions.map(({ live }) => live.deployment)),
]

/** Why not to roll back during an update that shifts traffic. Others of its functions have moved at once (D148). */
const doubtOfShift =
  'An update is shifting traffic: cancel it in CloudFormation, which turns it back.'

const isShiftingAny = (functions: readonly LiveFunction[]): boolean =>
  functions.some(({ isShifting }) => isShifting)

/**
 * The named deployment, or the newest that is older than the live one. Throws an Error with a message for the operator.
 */
export function chosenDeployment(functions: readonly LiveFunction[], id?: string): Deployment {
  const all = deploymentsOf(functions)
  if (id !== undefined) {
    const found = all.find((each) => each.id === id)
    if (found) return found
    throw new Error(`There is no deployment ${id}: --list shows the deployments.`)
  }
  const live = liveIds(functions)
  if (live.length > 1) {
    throw new Error(
      isShiftingAny(functions)
        ? doubtOfShift
        : `Functions of the deployments ${live.join(' and ')} serve requests: name the deployment with --to.`,
    )
  }
  const previous = all[all.findIndex((each) => each.id === live[0]) + 1]
  if (previous) return previous
  throw new Error(`There is no deployment before ${live[0]}, so there is nothing to roll back to.`)
}

/** What a roll-back to a deployment would change, and what speaks against it. */
export interface Plan {
  readonly moves: readonly { readonly liveFunction: LiveFunction; readonly to: Version }[]
  /** The functions that the deployment did not have. Nothing changes for them. */
  readonly newer: readonly LiveFunction[]
  /** The environment variables whose values change. */
  readonly variables: readonly string[]
  /** The functions whose versions would write no log lines, because their roles may only write into other log groups. */
  readonly silent: readonly string[]
  /** Why the versions may fail. Each is a sentence. */
  readonly doubts: readonly string[]
}

export function planOf(functions: readonly LiveFunction[], to: Deployment): Plan {
  const moves = [...to.versions]
    .filter(([{ live }, version]) => live.number !== version.number)
    .map(([liveFunction, version]) => ({ liveFunction, to: version }))
  const without = functions.filter((each) => !to.versions.has(each))
  const isNewer = ({ versions }: LiveFunction) =>
    versions.every(({ publishedAt }) => publishedAt > to.publishedAt)
  const incomplete = without.filter((each) => !isNewer(each)).map(({ name }) => name)
  const withdrawn = namesOf(moves, isWithdrawn)
  const lacking = moves.filter(lacksPermission).map(({ liveFunction }) => liveFunction.name)
  const widened = namesOf(moves, isWidened)
  return {
    moves,
    newer: without.filter(isNewer),
    variables: namesOf(
      moves,
      (name, { liveFunction, to }) => liveFunction.live.variables[name] !== to.variables[name],
    ),
    silent: moves.filter(cannotLog).map(({ liveFunction }) => liveFunction.name),
    doubts: [
      ...(isShiftingAny(functions) ? [doubtOfShift] : []),
      ...(incomplete.length > 0
        ? [`The deployment ${to.id} has no version of ${incomplete.join(', ')}.`]
        : []),
      ...(withdrawn.length > 0
        ? [
            `The deployment ${to.id} uses resources that the roles of the functions may not use any more (${withdrawn.join(', ')}): deploy its commit with today's settings.`,
          ]
        : []),
      ...(widened.length > 0
        ? [
            `In the deployment ${to.id}, wallets of logins count on all chains (${widened.join(', ')}): players would have NFTs of strangers.`,
          ]
        : []),
      ...(lacking.length > 0
        ? [
            `The deployment ${to.id} needs permissions that were withdrawn since from the roles of ${lacking.join(', ')}: deploy its commit with today's settings.`,
          ]
        : []),
    ],
  }
}

/** The variables that name resources. A role has permission for the resources of the last deployment only. */
const resourceVariables: readonly VariableName[] = [
  'TABLE_NAME',
  'QUEUE_URL',
  'PLAYER_TOKEN_KEY_ARNS',
  'USER_JWT_KEY_ARNS',
  'INDEXER_SECRET_ARN',
]

type Move = Plan['moves'][number]

/** Whether a variable says on which chains wallets of logins count (D161), and does not in the other version. */
function isWidened(name: string, { liveFunction, to }: Move): boolean {
  const says = ({ variables: { [name]: value = '' } }: Version) =>
    (name === 'WALLET_CHAINS' && value !== '') || (name === 'LOGINS' && value.includes('"chains"'))
  return says(liveFunction.live) && !says(to)
}

/** The version whose permissions the role of a function has. It differs from the live one after a roll-back. */
const deployedVersion = ({ versions, deployed, live }: LiveFunction): Version =>
  versions.find(({ deployment }) => deployment === deployed) ?? live

/** Whether a version needs a permission that its role has lost. Versions that do not name their permissions are trusted. */
function lacksPermission({ liveFunction, to }: Move): boolean {
  const { permissions: has } = deployedVersion(liveFunction)
  return has !== undefined && (to.permissions ?? []).some((each) => !has.includes(each))
}

/** Whether a version writes into a log group for which its role has lost the permission (D83). */
function cannotLog({ liveFunction, to }: Move): boolean {
  const { logGroup } = deployedVersion(liveFunction)
  return logGroup !== undefined && to.logGroup !== undefined && to.logGroup !== logGroup
}

/** Whether a version names a resource that the version that was deployed last does not name. */
function isWithdrawn(name: string, { liveFunction, to }: Move): boolean {
  const inUse = (deployedVersion(liveFunction).variables[name] ?? '').split(',')
  if (!resourceVariables.some((each) => each === name)) return false
  const old = to.variables[name]?.split(',') ?? []
  return old.some((each) => !inUse.includes(each))
}

/** The names of the variables of which `holds` is true in a move, sorted. */
const namesOf = (moves: readonly Move[], holds: (name: string, move: Move) => boolean): string[] =>
  [
    ...new Set(
      moves.flatMap((move) =>
        Object.keys({ ...move.liveFunction.live.variables, ...move.to.variables }).filter((name) =>
          holds(name, move),
        ),
      ),
    ),
  ].toSorted()
