import { createHash } from 'node:crypto'
import * as v from 'valibot'
import { maxAssignedUserId } from '../../domain/player/player.ts'
import type { UserIds } from '../../domain/ports/players.ts'
import { getItem } from './item-reads.ts'
import { putItem } from './item-writes.ts'
import { playerKey, subjectKey } from './keys/player-partition.ts'
import { userKey } from './keys/single-items.ts'
import type { Table } from './table.ts'

/** The largest number of taken ids that are skipped. Even with a billion users, few are. */
const maxCandidates = 200

const userItem = v.object({ userId: v.number() })
const subjectItem = v.object({ user: v.string() })

/**
 * Assigns a user id to each issuer and subject (D41). The candidates for an id follow from the issuer and
 * the subject, so that interrupted and parallel first sign-ins, and sign-ins after the table was restored,
 * arrive at the same id. A conditional write gives an id to one subject only, before anything else refers
 * to it. A known subject costs one read.
 */
export function dynamoUserIds(table: Table): UserIds {
  return {
    async idOf({ issuer, subject }) {
      const user = digestOf(issuer, subject)
      const item = await getItem(table, userKey(user))
      if (item) return v.parse(userItem, item).userId
      for (const userId of candidates(user)) {
        if (!(await take(user, userId))) continue
        await putItem(table, { ...userKey(user), userId, issuer, subject })
        return userId
      }
      throw new Error('no user id is free')
    },

    async knownIdOf({ issuer, subject }) {
      const item = await getItem(table, userKey(digestOf(issuer, subject)))
      return item && v.parse(userItem, item).userId
    },
  }

  /** Takes an id for a user, or returns false if another user, or a player without an assigned id, has it. */
  async function take(user: string, userId: number): Promise<boolean> {
    if (await getItem(table, playerKey(userId))) {
      // The subject is always written before the player, so this read sees it.
      const item = await getItem(table, subjectKey(userId))
      return item !== undefined && v.parse(subjectItem, item).user === user
    }
    return await putItem(
      table,
      { ...subjectKey(userId), user },
      { conditions: [['pk', 'absent']], or: ['user', '=', user] },
    )
  }
}

const sha256 = (text: string) => createHash('sha256').update(text).digest()

/** The digest of an issuer and a subject. JSON keeps the border between the two. */
const digestOf = (issuer: string, subject: string) =>
  sha256(JSON.stringify([issuer, subject])).toString('hex')

function* candidates(user: string): Generator<number> {
  for (let index = 0; index < maxCandidates; index += 1) {
    yield 1 + (sha256(`${user} ${index}`).readUInt32BE() % maxAssignedUserId)
  }
}
