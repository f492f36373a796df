import type { LimitedRequest, ProductUse } from '../domain/ports/limits.ts'
import type { ProductAccess } from '../domain/ports/products.ts'
import type { ProductId } from '../domain/product/product.ts'
import type { KeyId } from '../domain/product/product-key.ts'
import type { StoredProduct } from '../domain/product/stored-product.ts'
import { downstreamCalls } from '../observability/downstream-calls.ts'
import { problemOf } from './problem.ts'

/**
 * The permission of a request, which one read of the table decides: whether its API key works and suffices
 * (D46, D51). Resolves to the product of the request. Rejects if the request is refused, or if the product
 * cannot be read.
 */
export type Permission = Promise<StoredProduct>

export interface PermissionPorts {
  productAccess: ProductAccess
  /** Absent if the operation has no limits. */
  productUse?: ProductUse
}

/** The rule by which a product permits a request: with an API key (D46), or of a game without a key (D51). */
export interface PermissionRule {
  productId: ProductId
  /** Absent for a game without an API key. */
  keyId?: KeyId
  /** The verification of the player token, if the request needs one. */
  playerToken?: Promise<unknown> | undefined
  /** Returns the product, or throws the Failure with which it refuses the request. */
  permitted(stored: StoredProduct | undefined): StoredProduct
}

/**
 * Starts to read whether a product permits a request, and does not wait for the result, so that the first
 * reads of the operation run at the same time. The product is read when the player token is verified or refused, in one
 * request with the player. Until the request is permitted, the adapters change nothing,
 * send nothing and ask nothing of the indexer (D46).
 */
export function startPermission(rule: PermissionRule, ports: PermissionPorts): Permission {
  const access = readPermission(rule, ports)
  const { keyId } = rule
  downstreamCalls.requirePermission(access)
  if (keyId !== undefined) {
    downstreamCalls.beside(access.then((product) => ports.productAccess.noteUse(product, keyId)))
  }
  return access
}

async function readPermission(
  { productId, keyId, permitted, playerToken }: PermissionRule,
  { productAccess, productUse }: PermissionPorts,
): Permission {
  if (playerToken !== undefined) await Promise.allSettled([playerToken])
  const withCounters = productUse?.isLimited ?? false
  const product = permitted(await productAccess.get(productId, { withCounters }))
  await productUse?.permit(product, { isClient: keyId === undefined })
  return product
}

/**
 * Runs an operation beside the permission of its request. A refusal takes precedence, and does not wait for the
 * operation.
 */
export async function runPermitted<Result>(
  permission: Permission | undefined,
  run: () => Promise<Result>,
): Promise<Result> {
  if (!permission) return await run()
  const result = run()
  // After a refusal, nothing awaits the operation.
  result.catch(() => undefined)
  await permission
  return await result
}

/**
 * The error that a request is answered with: `error`, unless the request is refused. An invalid player token
 * precedes a refusal that is not about an invalid API key: 401 comes before 403 (D3).
 */
export async function afterPermission(
  permission: Permission | undefined,
  error: unknown,
): Promise<unknown> {
  try {
    await permission
    return error
  } catch (refusal) {
    const isLater =
      problemOf(error).status === 401 && [403, 429].includes(problemOf(refusal).status)
    return isLater ? error : refusal
  }
}

/**
 * Runs a request within the limits of its product, counted as soon as it is permitted (D47), with reserved calls of the
 * indexer (D78).
 */
export async function runLimited<Result>(
  productUse: ProductUse | undefined,
  { productId, access }: { productId?: ProductId | undefined; access?: Permission | undefined },
  limited: LimitedRequest,
  run: () => Promise<Result>,
): Promise<Result> {
  if (!productUse?.isLimited || !access || productId === undefined) return await run()
  downstreamCalls.beside(access.then((product) => productUse.count(product, limited)))
  const calls = productUse.reserveCalls(productId, access, limited)
  downstreamCalls.limitIndexerCalls(calls.take)
  try {
    return await run()
  } finally {
    calls.end()
  }
}
