import { dynamoContracts } from '../../lib/adapters/dynamodb/contracts.ts'
import { dynamoProductEvents } from '../../lib/adapters/dynamodb/product-events.ts'
import { openTable } from '../../lib/adapters/dynamodb/table.ts'
import { sqsWorkQueue } from '../../lib/adapters/sqs/work-queue.ts'
import { disconnectContract } from '../../lib/domain/allowlist/unbind-contract.ts'
import { handlerOf } from '../../lib/http/lambda.ts'
import { productCallerPorts } from '../composition/product-ports.ts'
import { row } from './operation.ts'

const table = openTable()

/** 4.5: unbinds a contract and everything allowlisted under it, immediately and permanently (D19). */
export const handler = handlerOf(
  row,
  {
    ...productCallerPorts(table),
    contracts: dynamoContracts(table),
    events: dynamoProductEvents(table),
    workQueue: sqsWorkQueue(),
  },
  async ({ productId, keyId, query, deadline }, ports) => {
    const { chain, contractAddress: address } = query
    await disconnectContract({ productId, keyId }, { chain, address }, deadline, ports)
    return { data: { message: `Contract ${address} on ${chain} and its NFTs were unbound.` } }
  },
)
