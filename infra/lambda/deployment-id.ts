import { createHash } from 'node:crypto'

/** The name of the alias that callers of a function invoke. */
export const liveAlias = 'live'

/**
 * The description of every version that a deployment publishes: the name of the stack, and an identifier that follows
 * from the code and the configuration of all functions (D69). So the versions of a deployment can be found together,
 * and a deployment that changes nothing publishes nothing.
 */
export function deploymentDescription(stackName: string, functions: unknown): string {
  const digest = createHash('sha256').update(JSON.stringify(functions)).digest('hex')
  return `${stackName}, deployment ${digest.slice(0, 12)}`
}

/** The identifier in the description of a version of this stack, or undefined if it is of another stack. */
export function deploymentOf(stackName: string, description = ''): string | undefined {
  const [name, id] = description.split(', deployment ')
  return name === stackName ? id : undefined
}
