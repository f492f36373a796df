import { dynamoRefreshFamilies } from '../../lib/adapters/dynamodb/refresh-families.ts'
import { openTable } from '../../lib/adapters/dynamodb/table.ts'
import { deviceRequestEntry } from '../../lib/contract/sign-in-entries.ts'
import { decideDeviceRequest } from '../../lib/domain/sign-in/device-requests.ts'
import { DecidedBefore, UnknownUserCode } from '../../lib/domain/sign-in/failures.ts'
import { handlerOf } from '../../lib/http/lambda.ts'
import { deviceRequestPorts } from '../composition/sign-in-ports.ts'
import { row } from './operation.ts'

const table = openTable()

/** D112: the user of a session decides once whether a game gets access (D108). */
export const handler = handlerOf(
  row,
  { ...deviceRequestPorts(table), families: dynamoRefreshFamilies(table) },
  async ({ session, path, body, sourceAddress: network }, ports) => {
    const given = { now: Date.now(), network, approve: body.approve }
    const request = await decideDeviceRequest(session, path.userCode, given, ports)
    if (!request) throw new UnknownUserCode()
    if (!request.isDecided) throw new DecidedBefore(request.state)
    return { data: deviceRequestEntry(request) }
  },
)
