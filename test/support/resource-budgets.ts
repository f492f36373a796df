/**
 * The most that each stack has with everything on, and what AWS accepts. The rest is for operations to come, and for what nobody
 * has thought of. docs/quotas.md says both.
 */
export const stackBudgets = {
  /** The resources of the root, of 500. */
  root: 300,
  /** Those of a nested stack. */
  nested: 250,
  /** Those of any stack, with twenty operations more in one of them. */
  withTwentyMore: 450,
  /** Parameters, and outputs, of 200. */
  parameters: 99,
  /** The share of its quota that a policy takes, in the longest Region and partition. */
  policyShare: 0.6,
}
