import * as v from 'valibot'
import type { Chain } from '../../domain/nft/chain.ts'
import type {
  FollowedContract,
  FollowNotes,
  FollowPosition,
} from '../../domain/ports/follow-notes.ts'
import { inParallel } from './batches.ts'
import { GetCommand, UpdateCommand } from './commands.ts'
import { unlessConditionFails } from './conditional-write.ts'
import { fieldUpdate } from './field-update.ts'
import { askedItem, followedContractItem, followPositionItem } from './follow-items.ts'
import { changing, endingLease, leasing, moving, showing, type Update } from './follow-updates.ts'
import {
  followedAddressFromKey,
  followedContractKey,
  followedContractsOf,
  followKey,
  milestoneKey,
  milestonesOf,
  readersKey,
} from './keys/follow-partition.ts'
import type { Key } from './keys/key.ts'
import { endOfLog, logItems, milestoneItem } from './log-items.ts'
import { itemsUnder } from './prefix-reads.ts'
import type { Table } from './table.ts'

/** The holder that a lease had before it was taken or renewed. */
const leaseBefore = v.pipe(
  v.object({ holder: v.fallback(v.optional(v.string()), undefined) }),
  v.transform(({ holder: before }) => ({ before })),
)

/** What followers note, in the table. DynamoDB's TTL deletes what was not written for days. */
export function dynamoFollowNotes(table: Table): FollowNotes {
  const { client, name: TableName, requestsAtOnce } = table

  /** Returns whether the condition of the update was met. */
  async function update(Key: Key, request: Update): Promise<boolean> {
    const command = new UpdateCommand({ TableName, Key, ...request })
    return (await unlessConditionFails(client.send(command))) !== undefined
  }

  /** Writes items whole. */
  const putAll = (items: readonly (Key & Record<string, unknown>)[]) =>
    inParallel(items, requestsAtOnce, async ({ pk, sk, ...set }) => {
      await update({ pk, sk }, fieldUpdate({ set, conditions: [] }))
    })

  return {
    async lease(chain, holder, milliseconds) {
      const request = leasing(holder, Date.now(), milliseconds)
      const command = new UpdateCommand({
        ...{ TableName, Key: followKey(chain), ...request },
        ReturnValues: 'UPDATED_OLD',
      })
      const updated = await unlessConditionFails(client.send(command))
      return updated && v.parse(leaseBefore, updated.Attributes ?? {})
    },
    async release(chain, holder) {
      await update(followKey(chain), {
        ...endingLease,
        ConditionExpression: 'holder = :holder',
        ExpressionAttributeValues: { ':holder': holder },
      })
    },
    position: (chain) => readPosition(table, chain),
    contracts: (chain) => readContracts(table, chain),
    async noteContracts(chain, changes) {
      let isComplete = true
      await inParallel(changes, requestsAtOnce, async (change) => {
        const key = followedContractKey({ chain, address: change.from.address })
        if (!(await update(key, changing(change)))) isComplete = false
      })
      return isComplete
    },
    log: (chain, logs) =>
      putAll(
        logs.flatMap(({ contract: address, entries }) =>
          entries.flatMap((entry) => logItems({ chain, address }, entry)),
        ),
      ),
    noteMilestone: (chain, { number, hash, at }) =>
      putAll([{ ...milestoneKey(chain, number), number, hash, at, expiresAt: endOfLog(at) }]),
    async milestones(chain) {
      const items = await itemsUnder(table, milestonesOf(chain))
      return items.map((item) => v.parse(milestoneItem, item)).reverse()
    },
    moveTo: (chain, holder, position, from) =>
      update(followKey(chain), moving(holder, position, from)),
    async showReaders(chain, position) {
      const command = new UpdateCommand({
        ...{ TableName, Key: readersKey(chain), ...showing(position, Date.now()) },
        ReturnValues: 'ALL_NEW',
      })
      const updated = await unlessConditionFails(client.send(command))
      return updated && v.parse(askedItem, updated.Attributes ?? {})
    },
  }
}

/** The position; `undefined` if there is none, or it is damaged: the chain is then followed anew. */
async function readPosition(
  { client, name: TableName }: Table,
  chain: Chain,
): Promise<FollowPosition | undefined> {
  const command = new GetCommand({ TableName, Key: followKey(chain), ConsistentRead: true })
  const { Item } = await client.send(command)
  const { success, output } = v.safeParse(followPositionItem, Item)
  if (!success) return undefined
  const { log, settling, ...position } = output
  // A release that logs or keeps nothing leaves it as it was.
  const isOfStep = (part: { step: number } | undefined) => part?.step === position.step
  return {
    ...position,
    ...(isOfStep(log) && { log }),
    ...(isOfStep(settling) && { settling }),
  }
}

/** The contracts that are not damaged. */
async function readContracts(table: Table, chain: Chain): Promise<FollowedContract[]> {
  const found: FollowedContract[] = []
  for (const item of await itemsUnder(table, followedContractsOf(chain))) {
    const { success, output } = v.safeParse(followedContractItem, item)
    if (!success) continue
    const { sk, ...contract } = output
    found.push({ address: followedAddressFromKey(sk), ...contract })
  }
  return found
}
