import { openTable } from '../../lib/adapters/dynamodb/table.ts'
import { deviceRequestEntry } from '../../lib/contract/device-request.ts'
import { type DeviceRequestPorts, deviceRequest } from '../../lib/domain/sign-in/device-requests.ts'
import { UnknownUserCode } from '../../lib/domain/sign-in/failures.ts'
import { operation } from '../../lib/http/endpoint.ts'
import { lambda } from '../../lib/http/lambda.ts'
import { deviceRequestPorts } from '../composition/page-ports.ts'
import { row } from './operation.ts'

/** D112: the game that asks with a user code (D108). */
export const getDeviceRequest = operation(
  row,
  async ({ session, path, sourceAddress: network }, ports: DeviceRequestPorts) => {
    const arrival = { now: Date.now(), network }
    const request = await deviceRequest(session, path.userCode, arrival, ports)
    if (!request) throw new UnknownUserCode()
    return { data: deviceRequestEntry(request) }
  },
)

export const handler = lambda(getDeviceRequest, deviceRequestPorts(openTable()))
