import { unbind } from '../allowlist.ts'
import { handlerOf, queryOf } from '../http.ts'
import { productOf } from '../products.ts'

export const handler = handlerOf(async (event) => {
  const { productId } = await productOf(event.headers)
  const { chain = '', contractAddress = '', tokens = '' } = queryOf(event)
  const address = contractAddress.toLowerCase()
  const nfts = tokens.split(',').map((tokenId) => ({ tokenId, address, chain }))
  await unbind(productId, nfts)
  return { message: `${nfts.length} NFTs were unbound from contract ${contractAddress}.` }
})
