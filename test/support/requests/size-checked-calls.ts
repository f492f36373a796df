import type { LambdaHost } from '@player-nfts/local/lambda/lambda-host'
import { expect } from 'vitest'
import type { OperationId } from '../../../functions/operations.ts'
import type { Service } from '../services/service.ts'
import type { Received, Sent } from './client.ts'
import { invokeFunction } from './invoke-function.ts'
import { readThrough } from './reading.ts'

/**
 * The maximum size of a response in Lambda, in bytes of the JSON that the function returns: the body is
 * a string in it, and is therefore escaped once more.
 * https://docs.aws.amazon.com/lambda/latest/dg/gettingstarted-limits.html
 */
const maxLambdaBytes = 6_291_556

/** Calls functions like API Gateway, and expects that each response fits Lambda's limit. */
interface SizeCheckedCalls {
  call(id: OperationId, sent: Sent): Promise<Received>
  /** Follows `nextCursor` to the last response, and returns all responses. */
  readAll(id: OperationId, sent: Sent): Promise<Received[]>
}

/** Calls the functions of this host, and checks the size of each response. */
export function sizeCheckedCalls(service: Service, host: LambdaHost): SizeCheckedCalls {
  const call: SizeCheckedCalls['call'] = async (id, sent) => {
    let carried = 0
    const measured: LambdaHost = {
      ...host,
      async invoke(name, event) {
        const result = await host.invoke(name, event)
        carried = Buffer.byteLength(result.ok ? result.payload : '')
        return result
      },
    }
    const answer = await invokeFunction(measured, id, sent)
    expect(carried).toBeGreaterThan(answer.text.length)
    expect(carried).toBeLessThanOrEqual(maxLambdaBytes)
    return answer
  }
  return {
    call,
    readAll: (id, sent) =>
      readThrough({ ...service, call: (_, next = {}) => call(id, next) }, id, sent),
  }
}
