import { parseTokenId, type TokenId } from '../../domain/allowlist/token-id.ts'
import { branded } from '../../domain/branded.ts'
import { type Address, toAddress } from '../../domain/nft/address.ts'
import type { OwnedAmount } from '../../domain/ports/indexer.ts'
import { unverified } from '../../json/unverified.ts'
import { arrivingList } from './arriving-list.ts'
import { malformedResponse } from './malformed-response.ts'
import { pageKeyIn } from './page-progress.ts'

type Take = (owned: OwnedAmount) => Promise<void> | void

/**
 * Reads a page of the owners of a contract with their balances, and gives each amount to `take` as soon as the entry of its owner is
 * complete. An amount of 0, and what the zero address has, is nobody's and left out. Throws an IndexerUnavailable for an entry or an
 * answer that is not well formed.
 */
export function ownersPage(take: Take) {
  const arrived: string[] = []
  const list = arrivingList('owners', (entry) => arrived.push(entry))
  return {
    async write(chunk: Buffer): Promise<void> {
      list.write(chunk)
      for (const entry of arrived.splice(0)) await giveAmounts(entry, take)
    },
    /** The key of the next page, if there is one. */
    end(): string | undefined {
      const { error = null, pageKey } = list.end()
      if (error !== null) throw malformedResponse('an error beside the owners')
      return pageKeyIn(pageKey) ?? undefined
    },
  }
}

async function giveAmounts(json: string, take: Take): Promise<void> {
  const { ownerAddress, tokenBalances } = unverified(parsedExactly(json))
  const owner = addressIn(ownerAddress)
  if (!Array.isArray(tokenBalances)) throw malformedResponse('an owner without balances')
  if (owner === zeroAddress) return
  for (const each of tokenBalances) {
    const { tokenId, balance } = unverified(each)
    const amount = BigInt(numberIn(balance, 'a balance'))
    const owned = { owner, tokenId: numberIn(tokenId, 'a token identifier'), amount }
    const taken = amount > 0n ? take(owned) : undefined
    // A million turns of the microtask queue would take longer than the rest.
    if (taken instanceof Promise) await taken
  }
}

const zeroAddress = toAddress(`0x${'0'.repeat(40)}`)

function addressIn(text: unknown): Address {
  if (typeof text === 'string' && /^0x[0-9a-fA-F]{40}$/.test(text)) {
    return toAddress(text.toLowerCase())
  }
  throw malformedResponse('an owner that is no address')
}

/** Decimal digits below 2^256 in their stored form: almost all that a page has. */
const usualNumber = /^(?:0|[1-9][0-9]{0,76})$/

/** A number of up to 256 bits, as a text or as a number. */
function numberIn(value: unknown, what: string): TokenId {
  const text = typeof value === 'string' || Number.isSafeInteger(value) ? String(value) : ''
  // A page can have a million of them, and BigInt would take most of its time.
  if (usualNumber.test(text)) return branded(text)
  const number = parseTokenId(text)
  if (number === undefined) throw malformedResponse(`${what} that is none`)
  return number
}

/** Digits in the place of a value that JSON.parse would round. In a string they do no harm. */
const longNumber = /[:,[]\s*\d{16}/

/** The value of a text, with large numbers as the text of their digits. */
function parsedExactly(json: string): unknown {
  try {
    // The source of each number costs several times the time of the rest.
    return longNumber.test(json) ? JSON.parse(json, exactNumber) : JSON.parse(json)
  } catch {
    throw malformedResponse('an owner that is not JSON')
  }
}

const exactNumber = (
  _name: string,
  value: unknown,
  { source }: { source?: string } = {},
): unknown => (typeof value === 'number' ? source : value)
