import * as v from 'valibot'
import { chainNameOf } from '../domain/nft/chain.ts'
import { addressOf, chainIdOf } from '../domain/nft/wallet.ts'
import type { WalletList } from '../domain/ports/sign-in.ts'
import { userCodeText } from '../domain/sign-in/device-grant.ts'
import type { DeviceRequest } from '../domain/sign-in/device-requests.ts'
import { address, shownText, shownWholeNumber, time } from './answers.ts'

/** A game that asks for access on a device (D112). */
export const shownDeviceRequest = v.object({
  userCode: shownText,
  product: v.object({ productId: shownText, name: shownText, companyName: shownText }),
  state: v.picklist(['pending', 'approved', 'denied', 'expired']),
  askedAt: time,
  isSameNetwork: v.boolean(),
})

/** A request as a response shows it. */
export const deviceRequestEntry = (
  request: DeviceRequest,
): v.InferInput<typeof shownDeviceRequest> => {
  const { userCode, product, state, askedAt, isSameNetwork } = request
  const { productId } = product
  const { name, companyName } = product.product
  return {
    userCode: userCodeText(userCode),
    product: { productId, name, companyName },
    ...{ state, askedAt: new Date(askedAt).toISOString(), isSameNetwork },
  }
}

/** A user who signs in with wallets. `chain`: the only chain on which a wallet counts; `null` for all (D111). */
export const signedInUser = v.object({
  userId: shownWholeNumber,
  username: shownText,
  wallets: v.array(v.object({ address, chain: v.nullable(shownText), addedAt: time })),
})

/** A user as a response shows it. */
export const signedInUserEntry = (
  userId: number,
  { username = '', wallets, addedAt }: WalletList,
): v.InferInput<typeof signedInUser> => ({
  userId,
  username,
  wallets: wallets.map((wallet, index) => {
    const chainId = chainIdOf(wallet)
    return {
      address: addressOf(wallet),
      chain: chainId === undefined ? null : chainNameOf(chainId),
      addedAt: new Date((addedAt[index] ?? 0) * 1_000).toISOString(),
    }
  }),
})
