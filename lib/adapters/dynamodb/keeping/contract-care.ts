import * as v from 'valibot'
import type { Address } from '../../../domain/nft/address.ts'
import type { ChainCare, ContractCare, ContractCares } from '../../../domain/ports/contract-care.ts'
import { readItem } from '../item-reads.ts'
import { type FieldUpdate, updateItem } from '../item-writes.ts'
import {
  careAddressFromKey,
  careKey,
  carePartition,
  upkeepTurnKey,
} from '../keys/kept-partitions.ts'
import type { Key } from '../keys/key.ts'
import { itemsUnder } from '../prefix-reads.ts'
import type { Table } from '../table.ts'

/** How long notes are kept after the last one, in seconds: longer than a contract is doubted. */
const retentionSeconds = 30 * 86_400

const time = v.fallback(v.number(), 0)
const times = v.fallback(v.array(v.number()), [])

/** A damaged attribute counts as absent: work is then done once more. */
const careItem = v.object({
  snapshotFrom: time,
  auditFrom: time,
  listsFrom: time,
  attempts: times,
  handedOver: times,
  isBegun: v.fallback(v.boolean(), false),
  unlistedSince: time,
  audited: v.fallback(
    v.optional(v.object({ id: v.string(), at: v.number(), nftsPageKey: v.optional(v.string()) })),
    undefined,
  ),
  doubtedAt: v.fallback(v.optional(v.number()), undefined),
})

const chainItem = v.object({
  metadataFrom: time,
  looks: time,
  look: v.fallback(
    v.optional(
      v.object({
        upTo: v.number(),
        at: v.number(),
        mark: v.optional(v.object({ number: v.number(), at: v.number() })),
      }),
    ),
    undefined,
  ),
})

/** The notes of the worker, in the table. DynamoDB's TTL deletes those of contracts that are not kept any more. */
export function dynamoContractCares(table: Table): ContractCares {
  function update(key: Key, { set, ...others }: FieldUpdate): Promise<boolean> {
    const expiresAt = Math.ceil(Date.now() / 1_000) + retentionSeconds
    return updateItem(table, key, { ...others, set: { ...set, expiresAt } })
  }

  return {
    chain: (chain) => readChain(table, carePartition(chain)),
    async contract(contract) {
      return v.parse(careItem, (await readItem(table, careKey(contract))) ?? {})
    },
    async reserve(subject, work, { before, until }, notes = {}) {
      const name = `${work}From`
      return await update(careKey(subject), {
        set: { ...notes, [name]: until },
        conditions: [before === 0 ? [name, 'absent'] : [name, '=', before]],
      })
    },
    async note(contract, notes) {
      await update(careKey(contract), { set: notes })
    },
    takeTurn: ({ now, until }) =>
      update(upkeepTurnKey, {
        set: { until },
        conditions: [['until', 'absent or <=', now]],
      }),
    moveLook: (chain, look, looks) =>
      update(careKey({ chain }), {
        set: { look, looks: looks + 1 },
        conditions: [['looks', 'absent or <=', looks]],
      }),
  }
}

async function readChain(table: Table, pk: string): Promise<ChainCare> {
  const contracts = new Map<Address, ContractCare>()
  let ofChain = {}
  for (const item of await itemsUnder(table, { pk })) {
    const address = careAddressFromKey(item['sk'])
    if (address) contracts.set(address, v.parse(careItem, item))
    else ofChain = item
  }
  return { contracts, ...v.parse(chainItem, ofChain) }
}
