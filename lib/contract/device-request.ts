import * as v from 'valibot'
import type { DeviceRequest } from '../domain/sign-in/device-requests.ts'
import { userCodeText } from '../domain/sign-in/user-code.ts'
import { shownText, time } from './answers.ts'

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
