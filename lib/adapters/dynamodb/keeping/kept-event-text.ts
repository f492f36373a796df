import * as v from 'valibot'
import { branded } from '../../../domain/branded.ts'
import type { KeptEvent, Moved } from '../../../domain/holdings/kept-event.ts'
import type { Address } from '../../../domain/nft/address.ts'
import { brandedText } from '../../branded-text.ts'

/** The NFTs that an event moves, in a text of {@link movedText}. */
export const movedForm = v.pipe(
  v.string(),
  v.transform((text) => (text === '' ? [] : text.split(' '))),
  v.array(v.pipe(v.string(), v.regex(/^\d+(?:[:-]\d+)?$/), v.transform(movedIn))),
)

/** From or to whom an event moves NFTs. */
export const walletForm = v.nullable(brandedText<Address>())

/** NFTs as a compact text: `7` is one, `7:5` are five of one identifier, and `7-9` is one of each of three. */
export const movedText = (moved: KeptEvent['moved']): string => moved.map(textOf).join(' ')

function textOf(moved: Moved): string {
  if ('fromTokenId' in moved) return `${moved.fromTokenId}-${moved.toTokenId}`
  return moved.amount === 1n ? moved.tokenId : `${moved.tokenId}:${moved.amount}`
}

function movedIn(text: string): Moved {
  const [first = '', last] = text.split('-')
  if (last !== undefined) return { fromTokenId: branded(first), toTokenId: branded(last) }
  const [tokenId = '', amount = '1'] = text.split(':')
  return { tokenId: branded(tokenId), amount: BigInt(amount) }
}
