import { allow } from '../allowlist.ts'
import { bodyOf, HttpError, handlerOf } from '../http.ts'
import { productOf } from '../products.ts'

export const handler = handlerOf(async (event) => {
  const { productId } = await productOf(event.headers)
  const { chain = 'POLYGON', contractAddress, contractDescription, tokens } = bodyOf(event)
  if (!/^0x[0-9a-fA-F]{40}$/.test(contractAddress)) {
    throw new HttpError(400, 'contractAddress is not an address')
  }
  if (!Array.isArray(tokens) || tokens.length === 0) throw new HttpError(400, 'tokens is required')
  const address = contractAddress.toLowerCase()
  const nfts = tokens.map((tokenId) => ({ tokenId: String(tokenId), address, chain }))
  await allow(productId, contractDescription, nfts)
  return nfts
})
