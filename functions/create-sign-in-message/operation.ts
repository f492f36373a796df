import * as v from 'valibot'
import { shownText, time } from '../../lib/contract/answers.ts'
import { chain, contractAddress } from '../../lib/contract/fields/nfts.ts'
import { productId } from '../../lib/contract/fields/product-id.ts'
import { text } from '../../lib/contract/fields/texts.ts'
import { base, type OpenChains, type Route } from '../../lib/contract/route.ts'
import { chainsOpenByDefault } from '../../lib/domain/nft/chain.ts'

const yes = v.optional(v.boolean('must be true or false'))

const askedOn = (openChains: OpenChains) =>
  v.object({
    address: contractAddress,
    chain: chain(openChains),
    productId: v.optional(productId),
    domain: v.optional(text(1, 259)),
    link: yes,
    move: yes,
    remove: v.optional(contractAddress),
  })

/** D110, D111 */
export const row = {
  id: 'createSignInMessage',
  section: 'D110',
  method: 'POST',
  paths: [`${base}/login/message`],
  auth: 'SESSION',
  isSessionOptional: true,
  body: Object.assign(askedOn(chainsOpenByDefault), { withOpenChains: askedOn }),
  effect: 'repeatable',
  answer: v.object({ message: shownText, expiresAt: time }),
  problems: ['service_unavailable'],
} as const satisfies Route
