import { dynamoDeviceGrants } from '../../lib/adapters/dynamodb/device-grants.ts'
import { dynamoProductAccess } from '../../lib/adapters/dynamodb/product-access.ts'
import { dynamoSignInUse } from '../../lib/adapters/dynamodb/sign-in-use.ts'
import type { Table } from '../../lib/adapters/dynamodb/table.ts'
import { signInRuleSettings } from '../../lib/settings/sign-in.ts'
import { deviceGuessLimits } from '../../lib/settings/sign-in-limits.ts'
import { arrivalPorts } from './page-ports.ts'
import { sessionPorts } from './session-ports.ts'

/** The ports of the operations that take the code of a device (D108). */
export const deviceRequestPorts = (table: Table) => ({
  ...sessionPorts(table),
  ...arrivalPorts(),
  deviceGrants: dynamoDeviceGrants(table),
  productAccess: dynamoProductAccess(table),
  signInUse: dynamoSignInUse(table, deviceGuessLimits()),
  ...signInRuleSettings(),
})
