import { randomUUID } from 'node:crypto'
import * as v from 'valibot'
import type { Wallet } from '../../domain/nft/wallet.ts'
import type { WalletList, WalletLists } from '../../domain/ports/sign-in.ts'
import { brandedText } from '../branded-text.ts'
import { getItem } from './item-reads.ts'
import { type FieldCondition, type FieldUpdate, updateItem } from './item-writes.ts'
import { playerKey } from './keys/player-partition.ts'
import type { Table } from './table.ts'

const listItem = v.object({
  username: v.exactOptional(v.string()),
  wallets: v.exactOptional(v.array(brandedText<Wallet>())),
  walletsAddedAt: v.exactOptional(v.array(v.number())),
  walletsChange: v.exactOptional(v.string()),
  signedOutAt: v.exactOptional(v.number()),
  forgottenAt: v.exactOptional(v.number()),
})

/** The wallets of users who sign in with them, in the item of the player (D98). */
export function dynamoWalletLists(table: Table): WalletLists {
  return {
    get: async (userId) => (await read(userId)) ?? { wallets: [], addedAt: [], version: '' },

    replace: (userId, before, wallets, { username, at }) =>
      write(userId, before, at, {
        set: {
          wallets,
          walletsAddedAt: wallets.map(
            (wallet) => before.addedAt[before.wallets.indexOf(wallet)] ?? at,
          ),
        },
        setIfAbsent: { username },
      }),

    fence: async (userId, before) =>
      (await write(userId, before, 0)) || (await read(userId)) === undefined,

    rename: (userId, username) => change(userId, { username }, ['forgottenAt', 'absent']),

    signOut: (userId, now) =>
      change(userId, { signedOutAt: now }, ['signedOutAt', 'absent or <=', now]),
  }

  /** The list of a user; `undefined` if the user was forgotten. */
  async function read(userId: number): Promise<WalletList | undefined> {
    const {
      wallets = [],
      walletsAddedAt: addedAt = [],
      walletsChange: version = '',
      forgottenAt,
      ...rest
    } = v.parse(listItem, (await getItem(table, playerKey(userId))) ?? {})
    return forgottenAt === undefined ? { wallets, addedAt, version, ...rest } : undefined
  }

  async function change(
    userId: number,
    set: Record<string, unknown>,
    condition: FieldCondition,
  ): Promise<void> {
    const conditions = [['userId', '=', userId], condition] as const
    await updateItem(table, playerKey(userId), { set, conditions })
  }

  /** Gives a list a new version, and changes more with it. `at`: of a user who is new. */
  async function write(
    userId: number,
    { version }: WalletList,
    at: number,
    { set, setIfAbsent }: Pick<FieldUpdate, 'set' | 'setIfAbsent'> = {},
  ): Promise<boolean> {
    const next = randomUUID()
    return await updateItem(table, playerKey(userId), {
      set: { ...set, walletsChange: next, userId },
      setIfAbsent: { ...setIfAbsent, issuedAt: at },
      conditions: [
        version === '' ? ['walletsChange', 'absent'] : ['walletsChange', '=', version],
        ['forgottenAt', 'absent'],
      ],
      // The response to the same request was lost.
      or: ['walletsChange', '=', next],
    })
  }
}
