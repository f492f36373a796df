import { createHash } from 'node:crypto'
import * as v from 'valibot'
import type { Wallet } from '../../domain/nft/wallet.ts'
import type { DeviceGrants } from '../../domain/ports/sign-in.ts'
import type { ProductId } from '../../domain/product/product.ts'
import { deviceCodeLifetimeSeconds, type StoredGrant } from '../../domain/sign-in/device-grant.ts'
import { brandedText } from '../branded-text.ts'
import { getItem } from './item-reads.ts'
import { putItem, updateItem } from './item-writes.ts'
import { deviceGrantKey } from './keys/single-items.ts'
import type { Table } from './table.ts'

const grantItem = v.object({
  deviceDigest: v.string(),
  productId: brandedText<ProductId>(),
  familyId: v.string(),
  askedAt: v.number(),
  askedFrom: v.exactOptional(v.string()),
  polledAt: v.number(),
  decision: v.exactOptional(v.picklist(['approved', 'denied'])),
  usedAt: v.exactOptional(v.number()),
})

/** What an approved grant has too. */
const approvalItem = v.object({
  userId: v.number(),
  wallet: brandedText<Wallet>(),
  beganAt: v.number(),
})

/** How long a grant is kept after its codes have expired, in seconds: until then, a poll is told that they have. */
const retentionSeconds = 600

/** The grants of devices in the table. Of both codes, it has the digests (D101). */
export function dynamoDeviceGrants(table: Table): DeviceGrants {
  return {
    async add({ userCode, deviceCode, ...grant }, now) {
      const expiresAt =
        Math.ceil(grant.askedAt / 1_000) + deviceCodeLifetimeSeconds + retentionSeconds
      const deviceDigest = digestOf(deviceCode)
      const item = { ...keyOf(userCode), ...grant, deviceDigest, expiresAt, polledAt: 0 }
      return await putItem(table, item, {
        conditions: [['askedAt', 'absent or <=', expiredAt(now)]],
        // The response to the same request was lost.
        or: ['deviceDigest', '=', deviceDigest],
      })
    },

    async get(userCode) {
      return grantIn(userCode, await getItem(table, keyOf(userCode)))
    },

    async ofDevice({ userCode, deviceCode }) {
      const item = await getItem(table, keyOf(userCode))
      return item?.['deviceDigest'] === digestOf(deviceCode) ? grantIn(userCode, item) : undefined
    },

    notePoll: ({ userCode, polledAt }, now) =>
      updateItem(table, keyOf(userCode), {
        set: { polledAt: now },
        conditions: [['polledAt', '=', polledAt]],
      }),

    async decide(userCode, decision, now) {
      const { kind, ...user } = decision
      return await updateItem(table, keyOf(userCode), {
        set: { decision: kind, ...user },
        conditions: [
          ['decision', 'absent'],
          ['askedAt', '>', expiredAt(now)],
        ],
      })
    },

    use: (userCode, now) =>
      updateItem(table, keyOf(userCode), {
        set: { usedAt: now },
        conditions: [
          ['usedAt', 'absent'],
          ['decision', '=', 'approved'],
        ],
      }),
  }
}

/** A grant that was asked for by then has expired. */
const expiredAt = (now: number) => now - deviceCodeLifetimeSeconds * 1_000

function grantIn(
  userCode: string,
  item: undefined | Record<string, unknown>,
): StoredGrant | undefined {
  if (!item) return undefined
  const { deviceDigest: _, decision: kind, ...grant } = v.parse(grantItem, item)
  if (kind === undefined) return { userCode, ...grant }
  const decision = kind === 'denied' ? { kind } : { kind, ...v.parse(approvalItem, item) }
  return { userCode, ...grant, decision }
}

const keyOf = (userCode: string) => deviceGrantKey(digestOf(userCode))

const digestOf = (code: string) => createHash('sha256').update(code).digest('base64url')
