import { createHash } from 'node:crypto'

/** The name of the alias that callers of a function invoke. */
export const liveAlias = 'live'

/**
 * The description of every version that a deployment publishes: the name of the stack, and an identifier that follows
 * from the code, the configuration and the permissions of all functions (D69). So the versions of a deployment can be
 * found together, and a deployment that changes nothing publishes nothing.
 */
export function deploymentDescription(stackName: string, functions: unknown): string {
  return `${stackName}, deployment ${digestOf(functions, 12)}`
}

/** A statement of a policy in a template. */
export interface Statement {
  readonly Action: string | readonly string[]
  readonly Condition?: Readonly<Record<string, Readonly<Record<string, unknown>>>>
}

/** A digest of each allowed action and its conditions, without resources: the variables of a version name them. */
export function permissionDigests(statements: readonly Statement[]): string[] {
  const permissions = statements.flatMap(({ Action, Condition = {} }) => {
    const conditions = Object.entries(Condition).flatMap(([operator, keys]) =>
      Object.entries(keys).flatMap(([key, values]) =>
        [values].flat().map((value) => [operator, key, value]),
      ),
    )
    const under = conditions.length > 0 ? conditions : [[]]
    return [Action].flat().flatMap((action) => under.map((condition) => [action, ...condition]))
  })
  return [...new Set(permissions.map((each) => digestOf(each, digits)))].toSorted()
}

/** Lambda accepts descriptions of up to 256 characters, which have room for 46 of these digests. */
const digits = 4

/** The description of a version that has these permissions, so that a roll-back sees which of them are withdrawn. */
export const withPermissions = (description: string, digests: readonly string[]): string =>
  `${description}, permissions ${digests.join('') || 'none'}`

/** What the description of a version says. */
export interface Described {
  /** The identifier of the deployment that has published the version. */
  readonly deployment: string
  /** Digests of the permissions of its role. Undefined in the versions of a project that did not record them. */
  readonly permissions?: readonly string[]
}

/** What the description of a version of this stack says, or undefined if it is of another stack. */
export function describedVersion(stackName: string, description = ''): Described | undefined {
  const [, name, deployment, permissions] = form.exec(description) ?? []
  if (name !== stackName || !deployment) return undefined
  return { deployment, ...(permissions && { permissions: permissions.match(digest) ?? [] }) }
}

const form = /^(.+), deployment ([0-9a-f]+)(?:, permissions ([0-9a-f]+|none))?$/
const digest = new RegExp(`[0-9a-f]{${digits}}`, 'g')

const digestOf = (value: unknown, length: number): string =>
  createHash('sha256').update(JSON.stringify(value)).digest('hex').slice(0, length)
