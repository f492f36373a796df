import { isIn, type OperationId, operationIds, routes } from '../../functions/operations.ts'
import type { Route } from '../../lib/contract/route.ts'

/** The routes of a deployment without optional parts. */
export const usualRoutes: readonly Route[] = Object.values<Route>(routes).filter((route) =>
  isIn(route, {}),
)

/** The names of their operations. */
export const usualOperationIds: readonly OperationId[] = operationIds.filter((id) =>
  isIn(routes[id], {}),
)
