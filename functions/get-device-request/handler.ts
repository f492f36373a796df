import { openTable } from '../../lib/adapters/dynamodb/table.ts'
import { deviceRequestEntry } from '../../lib/contract/sign-in-entries.ts'
import { deviceRequest } from '../../lib/domain/sign-in/device-requests.ts'
import { UnknownUserCode } from '../../lib/domain/sign-in/failures.ts'
import { handlerOf } from '../../lib/http/lambda.ts'
import { deviceRequestPorts } from '../composition/sign-in-ports.ts'
import { row } from './operation.ts'

/** D112: the game that asks with a user code (D108). */
export const handler = handlerOf(
  row,
  deviceRequestPorts(openTable()),
  async ({ session, path, sourceAddress: network }, ports) => {
    const arrival = { now: Date.now(), network }
    const request = await deviceRequest(session, path.userCode, arrival, ports)
    if (!request) throw new UnknownUserCode()
    return { data: deviceRequestEntry(request) }
  },
)
