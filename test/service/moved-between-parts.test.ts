import { PutCommand } from '@aws-sdk/lib-dynamodb'
import { expect, test } from 'vitest'
import {
  followedContractKey,
  followKey,
} from '../../lib/adapters/dynamodb/keys/follow-partition.ts'
import { movementKey } from '../../lib/adapters/dynamodb/keys/wallet-partition.ts'
import { toAddress } from '../../lib/domain/nft/address.ts'
import { take } from '../../local/indexer/holdings.ts'
import { numbers } from '../../local/samples/samples.ts'
import { tableOf } from '../support/aws/table.ts'
import { type Holder, rememberedReads, tokenIdsOf } from '../support/requests/remembered-reads.ts'
import { startCountedService } from '../support/services/counted-service.ts'

const service = await startCountedService()
const table = tableOf(service)
const { holder, reader } = rememberedReads(service)
const chain = 'POLYGON'
const read = reader({ FOLLOWED_CHAINS: chain, SETTLING_SECONDS: '0' })

const put = (Item: object) => table.client.send(new PutCommand({ TableName: table.name, Item }))

const contractOf = ({ contract }: Holder) =>
  ({ chain, address: toAddress(contract.address) }) as const

const collection = ({ contract: { address } }: Holder) =>
  ({ network: 'polygon-mainnet', address }) as const

/** Notes that a contract is followed since long ago, and that all is confirmed up to now. */
async function follow(of: Holder): Promise<void> {
  const at = Date.now()
  const [first, head] = [
    { number: 1, at: 0 },
    { number: 2, at, hash: '0x2' },
  ]
  await put({ ...followKey(chain), head, confirmedUpTo: at, distrustedBefore: 0, askedAt: at })
  const leasedUntil = at + 24 * 3_600_000
  await put({ ...followedContractKey(contractOf(of)), leasedUntil, since: first })
}

const noteMovement = ({ wallet, contract }: Holder, at: number) =>
  put({
    ...movementKey(toAddress(wallet), { chain, address: toAddress(contract.address) }),
    ...{ block: 1, at },
  })

/** Reads a list to its end, and calls a function after its first page. */
async function list(of: Holder, afterFirst: () => unknown): Promise<void> {
  let cursor: string | undefined
  for (let page = 1; ; page += 1) {
    const { status, json } = await read(of, { query: { limit: '100', ...(cursor && { cursor }) } })
    expect(status).toBe(200)
    cursor = json.nextCursor
    if (!cursor) return
    if (page === 1) await afterFirst()
  }
}

test.each([
  ['between two parts', (first: number) => Math.max(first, Date.now()), true],
  ['and nothing is noted since the first part', (first: number) => first - 60_000, false],
])('D91: an NFT moves %s of a list', async (_, movedAt, isAsked) => {
  const of = await holder(250)
  await follow(of)
  const start = Date.now()
  await list(of, async () => {
    take(service.world, { ...collection(of), tokenId: '1' }, of.wallet)
    await noteMovement(of, movedAt(start))
  })
  await follow(of)
  const counts = await service.countsOf(async () => {
    expect(tokenIdsOf(await read(of))).toEqual(numbers(isAsked ? 2 : 1, 250))
  })
  expect('getNFTsForOwner' in counts).toBe(isAsked)
})
