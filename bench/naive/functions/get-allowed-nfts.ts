import { allowlistOf } from '../allowlist.ts'
import { handlerOf } from '../http.ts'
import { productOf } from '../products.ts'

export const handler = handlerOf(async (event) => {
  const { productId } = await productOf(event.headers)
  return await allowlistOf(productId)
})
