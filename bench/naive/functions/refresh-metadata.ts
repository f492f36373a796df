import { allowlistOf } from '../allowlist.ts'
import { bodyOf, handlerOf } from '../http.ts'
import { refreshed } from '../indexer.ts'
import { productOf } from '../products.ts'

export const handler = handlerOf(async (event) => {
  const { productId } = await productOf(event.headers)
  const smartContract = bodyOf(event).smartContract.toLowerCase()
  const nfts = (await allowlistOf(productId)).filter(({ address }) => address === smartContract)
  let changed = 0
  for (const { chain, tokenId } of nfts) {
    if (await refreshed(chain, smartContract, tokenId)) changed += 1
  }
  return { smartContract, checked: nfts.length, changed }
})
