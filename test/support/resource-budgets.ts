/**
 * The most resources of a stack. CloudFormation accepts 500: the rest is for operations to come, and for what nobody has
 * thought of. docs/quotas.md says both.
 */
export const resourceBudgets = {
  /** With the operations of today, and any variant of the settings without webhooks. */
  today: 450,
  /** With webhooks too, and everything else on. */
  withWebhooks: 490,
  /** With twenty operations more, everything on, and a second worker with its queue. */
  withTwentyMore: 482,
}
