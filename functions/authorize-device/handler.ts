import { dynamoDeviceGrants } from '../../lib/adapters/dynamodb/device-grants.ts'
import { dynamoProductAccess } from '../../lib/adapters/dynamodb/product-access.ts'
import { dynamoSignInUse } from '../../lib/adapters/dynamodb/sign-in-use.ts'
import { openTable } from '../../lib/adapters/dynamodb/table.ts'
import { hmacDeviceCodes } from '../../lib/adapters/hmac/sign-in-texts.ts'
import { randomText } from '../../lib/adapters/random/random-text.ts'
import { parseProductId } from '../../lib/domain/product/product.ts'
import { askingNetwork, isForeignPage } from '../../lib/domain/sign-in/asking-network.ts'
import {
  deviceCodeLifetimeSeconds,
  pollIntervalSeconds,
  userCodeText,
} from '../../lib/domain/sign-in/device-grant.ts'
import { beginGrant } from '../../lib/domain/sign-in/device-grants.ts'
import { InvalidClient } from '../../lib/domain/sign-in/failures.ts'
import { gameDomains, productWithSignIn } from '../../lib/domain/sign-in/product-sign-in.ts'
import { handlerOf } from '../../lib/http/lambda.ts'
import { requestSubject } from '../../lib/observability/request-subject.ts'
import { pageSettings, signInRuleSettings, signInSettings } from '../../lib/settings/sign-in.ts'
import { deviceCodeLimits } from '../../lib/settings/sign-in-limits.ts'
import { arrivalPorts } from '../composition/sign-in-ports.ts'
import { row } from './operation.ts'

const table = openTable()
const { secret } = signInSettings()

/** D112: begins a grant of a device, whose code the player enters on the page of the deployment (D101). */
export const handler = handlerOf(
  row,
  {
    ...arrivalPorts(),
    ...pageSettings(),
    ...signInRuleSettings(),
    deviceCodes: hmacDeviceCodes(secret),
    deviceGrants: dynamoDeviceGrants(table),
    productAccess: dynamoProductAccess(table),
    signInUse: dynamoSignInUse(table, deviceCodeLimits()),
  },
  async ({ body: { client_id: clientId }, sourceAddress, sendingPage }, ports) => {
    const productId = parseProductId(clientId)
    if (!productId) throw new InvalidClient()
    requestSubject.note({ productId })
    const stored = await ports.productAccess.get(productId)
    const product = productWithSignIn(stored, ports.signInRule)
    if (!product) throw new InvalidClient()
    const domains = gameDomains(product, ports.page)
    await ports.signInUse.askForDevice(sourceAddress, {
      isForeignPage: isForeignPage(sendingPage, domains),
    })
    const askedFrom = askingNetwork(sourceAddress, sendingPage, domains)
    const familyId = randomText()
    const grant = await beginGrant({ productId, familyId, askedFrom }, Date.now(), ports)
    const userCode = userCodeText(grant.userCode)
    const page = `${ports.origin}/connect`
    return {
      data: {
        device_code: grant.deviceCode,
        user_code: userCode,
        verification_uri: page,
        verification_uri_complete: `${page}?code=${userCode}`,
        expires_in: deviceCodeLifetimeSeconds,
        interval: pollIntervalSeconds,
      },
    }
  },
)
