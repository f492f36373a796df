import * as v from 'valibot'
import type { WalletList } from '../domain/ports/sign-in.ts'
import { address, shownText, shownWholeNumber, time } from './answers.ts'

/** A user who signs in with wallets. `chain`: the only chain on which a wallet counts; `null` for all (D111). */
export const signedInUser = v.object({
  userId: shownWholeNumber,
  username: shownText,
  wallets: v.array(v.object({ address, chain: v.nullable(shownText), addedAt: time })),
})

/** A user as a response shows it. */
export const signedInUserEntry = (
  userId: number,
  { username = '', wallets, addedAt }: WalletList,
): v.InferInput<typeof signedInUser> => ({
  userId,
  username,
  wallets: wallets.map((wallet, index) => ({
    address: wallet,
    chain: null,
    addedAt: new Date((addedAt[index] ?? 0) * 1_000).toISOString(),
  })),
})
