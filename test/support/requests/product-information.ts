/**
 * The product information of a response without the limits (D64): a deployment has limits, the shared service
 * of `npm test` has none. shown-limits.test.ts is about the limits.
 */
export function withoutLimits({ limits: _, ...information }: Record<string, unknown>) {
  return information
}
