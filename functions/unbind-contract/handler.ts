import { dynamoContracts } from '../../lib/adapters/dynamodb/contracts.ts'
import { dynamoProductEvents } from '../../lib/adapters/dynamodb/product-events.ts'
import { openTable } from '../../lib/adapters/dynamodb/table.ts'
import { sqsWorkQueue } from '../../lib/adapters/sqs/work-queue.ts'
import {
  type DisconnectPorts,
  disconnectContract,
} from '../../lib/domain/allowlist/unbind-contract.ts'
import { operation } from '../../lib/http/endpoint.ts'
import { lambda } from '../../lib/http/lambda.ts'
import { productCallerPorts } from '../composition/product-caller-ports.ts'
import { row } from './operation.ts'

/** 4.5: unbinds a contract and everything allowlisted under it, immediately and permanently (D19). */
export const unbindContract = operation(
  row,
  async ({ productId, keyId, query, deadline }, ports: DisconnectPorts) => {
    const { chain, contractAddress: address } = query
    await disconnectContract({ productId, keyId }, { chain, address }, deadline, ports)
    return { data: { message: `Contract ${address} on ${chain} and its NFTs were unbound.` } }
  },
)

const table = openTable()

export const handler = lambda(unbindContract, {
  ...productCallerPorts(table),
  contracts: dynamoContracts(table),
  events: dynamoProductEvents(table),
  workQueue: sqsWorkQueue(),
})
