import { dynamoContracts } from '../lib/adapters/dynamodb/contracts.ts'
import { openTable } from '../lib/adapters/dynamodb/table.ts'
import { sqsWorkQueue } from '../lib/adapters/sqs/work-queue.ts'
import { disconnectContract } from '../lib/domain/change-allowlist.ts'
import type { Contracts, WorkQueue } from '../lib/domain/ports.ts'
import { operation } from '../lib/http/endpoint.ts'
import { lambda } from '../lib/http/lambda.ts'
import { productCallerPorts } from './composition/product-caller-ports.ts'

/** 4.5: unbinds a contract and everything allowlisted under it, immediately and permanently (D19). */
export const unbindContract = operation(
  'unbindContract',
  async ({ productId, query, deadline }, ports: { contracts: Contracts; workQueue: WorkQueue }) => {
    const { chain, contractAddress: address } = query
    await disconnectContract(productId, { chain, address }, deadline, ports)
    return { data: { message: `Contract ${address} on ${chain} and its NFTs were unbound.` } }
  },
)

const table = openTable()

export const handler = lambda(unbindContract, {
  ...productCallerPorts(table),
  contracts: dynamoContracts(table),
  workQueue: sqsWorkQueue(),
})
