import type { Route } from '../contract/route.ts'
import type { LimitedRequest, ProductRequest, ProductUse } from '../domain/ports/limits.ts'
import type { ProductAccess } from '../domain/ports/product-keys.ts'
import type { ProductId } from '../domain/product.ts'
import { permittedProduct, productForClients } from '../domain/product-access.ts'
import type { KeyReference, Scope } from '../domain/product-key.ts'
import type { StoredProduct } from '../domain/stored-product.ts'
import { downstreamCalls } from '../observability/downstream-calls.ts'
import { problemOf } from './problem.ts'

/**
 * The permission of a request, which one read of the table decides: whether its API key works and suffices
 * (D46, D51). Resolves to the product of the request. Rejects if the request is refused, or if the product
 * cannot be read.
 */
export type Permission = Promise<StoredProduct>

/**
 * Starts to read whether the product of an API key permits a request, and does not wait for the result, so
 * that the first reads of the operation run at the same time. Until the request is permitted, the adapters
 * change nothing, send nothing and ask nothing of the indexer (D46).
 */
export function startPermission(
  route: Route,
  reference: KeyReference,
  productAccess: ProductAccess,
  productUse?: ProductUse | undefined,
): Permission {
  const access = productAccess
    .get(reference.productId, { withCounters: productUse?.isLimited ?? false })
    .then(async (stored) => {
      const product = permittedProduct(stored, reference, route.scope as Scope, Date.now())
      await productUse?.permit(product, { isClient: false })
      return product
    })
  downstreamCalls.requirePermission(access)
  downstreamCalls.beside(access.then((product) => productAccess.noteUse(product, reference.keyId)))
  return access
}

/**
 * Starts to read whether a product permits requests of games without an API key, like
 * {@link startPermission} (D51).
 */
export function startClientPermission(
  productId: ProductId,
  productAccess: ProductAccess,
  productUse?: ProductUse | undefined,
): Permission {
  const access = productAccess
    .get(productId, { withCounters: productUse?.isLimited ?? false })
    .then(async (stored) => {
      const product = productForClients(stored)
      await productUse?.permit(product, { isClient: true })
      return product
    })
  downstreamCalls.requirePermission(access)
  return access
}

/**
 * Runs an operation beside the permission of its request. A refusal takes precedence over the result and
 * over the failure of the operation, and does not wait for them.
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

/** Runs a request, and counts what it spends beside it, as soon as it is permitted (D47). */
export async function runCounted<Result>(
  productUse: ProductUse | undefined,
  permission: Permission | undefined,
  limited: LimitedRequest,
  run: () => Promise<Result>,
): Promise<Result> {
  if (!productUse?.isLimited || !permission) return await run()
  let request: ProductRequest | undefined
  const counted = permission.then((product) => {
    request = productUse.begin(product, limited)
    return request.counted
  })
  downstreamCalls.beside(counted)
  try {
    return await run()
  } finally {
    request?.settle(downstreamCalls.counts().indexerCalls ?? 0)
  }
}
