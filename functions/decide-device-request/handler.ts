import { dynamoRefreshFamilies } from '../../lib/adapters/dynamodb/refresh-families.ts'
import { openTable } from '../../lib/adapters/dynamodb/table.ts'
import { deviceRequestEntry } from '../../lib/contract/device-request.ts'
import {
  type DecisionPorts,
  decideDeviceRequest as decide,
} from '../../lib/domain/sign-in/device-requests.ts'
import { DecidedBefore, UnknownUserCode } from '../../lib/domain/sign-in/failures.ts'
import { operation } from '../../lib/http/endpoint.ts'
import { lambda } from '../../lib/http/lambda.ts'
import { deviceRequestPorts } from '../composition/page-ports.ts'
import { row } from './operation.ts'

/** D112: the user of a session decides once whether a game gets access (D108). */
export const decideDeviceRequest = operation(
  row,
  async ({ session, path, body, sourceAddress: network }, ports: DecisionPorts) => {
    const given = { now: Date.now(), network, approve: body.approve }
    const request = await decide(session, path.userCode, given, ports)
    if (!request) throw new UnknownUserCode()
    if (!request.isDecided) throw new DecidedBefore(request.state)
    return { data: deviceRequestEntry(request) }
  },
)

const table = openTable()

export const handler = lambda(decideDeviceRequest, {
  ...deviceRequestPorts(table),
  families: dynamoRefreshFamilies(table),
})
