import { unbindContract } from '../allowlist.ts'
import { handlerOf, queryOf } from '../http.ts'
import { productOf } from '../products.ts'

export const handler = handlerOf(async (event) => {
  const { productId } = await productOf(event.headers)
  const { chain = '', contractAddress = '' } = queryOf(event)
  await unbindContract(productId, chain, contractAddress.toLowerCase())
  return { message: `Contract ${contractAddress} was unbound.` }
})
