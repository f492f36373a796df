import * as v from 'valibot'
import { InvalidUserJwt } from '../../domain/credential-failures.ts'
import { ServiceUnavailable } from '../../domain/failures.ts'
import type { Limit } from '../../domain/limit/limit.ts'
import { type LimitState, limitClock, permit, spendIfLeft } from '../../domain/limit/limits.ts'
import type { Wallet } from '../../domain/nft/wallet.ts'
import type { Player } from '../../domain/player/player.ts'
import type { Players } from '../../domain/ports/players.ts'
import { downstreamCalls } from '../../observability/downstream-calls.ts'
import { brandedText } from '../branded-text.ts'
import { readItem, readItemOnce } from './item-reads.ts'
import { type FieldUpdate, updateItem } from './item-writes.ts'
import { playerKey, playerLimitsKey } from './keys/player-partition.ts'
import { countSpending, spendingUpdate, statesIn } from './limits.ts'
import type { Table } from './table.ts'

/** The time for which a forgotten player is remembered, in seconds: the lifetime of a player token (D48). */
export const tombstoneSeconds = 24 * 3600

/** A player, or the tombstone of a forgotten player, or both after the player has signed in again. */
const playerItem = v.object({
  userId: v.number(),
  username: v.exactOptional(v.string()),
  wallets: v.exactOptional(v.array(brandedText<Wallet>())),
  /** Of the latest user JWT, or the time of forgetting; seconds since 1970. */
  issuedAt: v.number(),
  forgottenAt: v.exactOptional(v.number()),
  /** When the user has signed out everywhere, in milliseconds since 1970 (D102). */
  signedOutAt: v.exactOptional(v.number()),
  playerTokens: v.exactOptional(v.number()),
})

type PlayerItem = v.InferOutput<typeof playerItem>

const attempts = 8

export function dynamoPlayers(table: Table): Players {
  return {
    async record({ userId, username, wallets }, issuedAt, limit) {
      const fields = { userId, username, wallets, issuedAt }
      // Most sign-ins are one write: nothing is stored, or an earlier sign-in whose player tokens are paid back.
      let stored: PlayerItem | undefined
      for (let attempt = 0; attempt < attempts; attempt += 1) {
        const update = recording(fields, limit, stored)
        if (!update || (await updateItem(table, playerKey(userId), update))) return
        stored = await read(userId)
      }
      throw new ServiceUnavailable('a player was recorded over and over')
    },

    async get({ userId, issuedAt }, limits = []) {
      const key = playerLimitsKey(userId)
      const [item, counters] = await Promise.all([
        read(userId),
        limits.length > 0 ? readItemOnce(table, key) : undefined,
      ])
      const player = playerOf(item, issuedAt)
      if (!player || limits.length === 0) return player
      const now = limitClock()
      const states = statesIn(counters, limits)
      permit(limits, states, now)
      const spendings = limits.map((limit) => ({ limit, amount: 1 }))
      downstreamCalls.beside(countSpending(table, key, spendings, states, now))
      return player
    },
  }

  async function read(userId: number): Promise<PlayerItem | undefined> {
    const item = await readItem(table, playerKey(userId))
    return item && v.parse(playerItem, item)
  }
}

/** The player that a token of this time, in seconds, refers to. */
function playerOf(item: PlayerItem | undefined, issuedAt: number): Player | undefined {
  const { userId, username, wallets, forgottenAt = Number.NEGATIVE_INFINITY } = item ?? {}
  if (userId === undefined || username === undefined || wallets === undefined) return undefined
  if (!isAfterSignOut(issuedAt, item?.signedOutAt)) return undefined
  return issuedAt > forgottenAt ? { userId, username, wallets } : undefined
}

/** Whether a token of this time, in seconds, is of a later second than the latest sign-out (D103). */
const isAfterSignOut = (issuedAt: number, signedOutAt = Number.NEGATIVE_INFINITY): boolean =>
  issuedAt > Math.floor(signedOutAt / 1000)

/**
 * The write of a sign-in, with the limit of player tokens, after what is stored. Its conditions make the limit exact, also when requests
 * arrive at the same time. `undefined`: there is nothing to write. Throws RateLimited or InvalidUserJwt.
 */
function recording(
  fields: Player & { issuedAt: number },
  limit: Limit | undefined,
  stored: PlayerItem | undefined,
): FieldUpdate | undefined {
  const { issuedAt } = fields
  const forgottenAt = stored?.forgottenAt
  if (forgottenAt !== undefined && issuedAt <= forgottenAt) throw new InvalidUserJwt('forgotten')
  const counted = limit && counting(limit, stored?.playerTokens)
  const isOlder = stored !== undefined && issuedAt < stored.issuedAt
  if (isOlder && !counted) return undefined
  return {
    set: { ...(!isOlder && fields), ...counted?.set },
    add: { ...counted?.add },
    remove: isOlder || forgottenAt === undefined ? [] : remainsOf(forgottenAt),
    conditions: [
      ['issuedAt', isOlder ? '>' : 'absent or <=', issuedAt],
      forgottenAt === undefined ? ['forgottenAt', 'absent'] : ['forgottenAt', '=', forgottenAt],
      ...(counted?.conditions ?? []),
    ],
  }
}

/** Counts a player token. Throws RateLimited if the limit is exhausted in this state. */
function counting(limit: Limit, state: LimitState): FieldUpdate {
  const now = limitClock()
  permit([limit], state === undefined ? {} : { [limit.name]: state }, now)
  return spendingUpdate({ playerTokens: spendIfLeft(limit, state, 1, now) })
}

/**
 * The attributes of a tombstone that a new sign-in removes. Without `expiresAt`, the TTL of the tombstone does
 * not delete the player.
 */
const remainsOf = (forgottenAt: number): string[] =>
  forgottenAt + tombstoneSeconds < Date.now() / 1000 ? ['expiresAt', 'forgottenAt'] : ['expiresAt']
