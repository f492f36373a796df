import { InvalidUserJwt } from '../../domain/credential-failures.ts'
import { type Address, parseAddress } from '../../domain/nft/address.ts'
import { maxWallets } from '../../domain/player/player.ts'
import { repeatedNames } from '../../json/repeated-names.ts'
import type { ClaimValues } from '../../settings/claim-values.ts'
import { claimAt, refusedClaim } from './user-claims.ts'

const maxEntries = 1_000

/** Where the wallets of a user are in the user JWTs of a login (D92). */
export interface WalletsFrom {
  /** The path of the claim. */
  readonly claim: string
  /** The path of the address in an entry that is an object. */
  readonly addressField?: string | undefined
  /** The values of fields that an entry must have to be kept. Without it, every entry is kept. */
  readonly where?: ClaimValues | undefined
}

/** The distinct addresses of a claim, and how many of its entries were left out. */
export interface ReadWallets {
  wallets: Address[]
  leftOut: number
}

/**
 * Reads the wallets in the value of a claim: a list of texts or objects, one of them, or JSON as text of either. Throws
 * InvalidUserJwt with the violated rule (D21, D92, D136).
 */
export function walletsIn(value: unknown, from: WalletsFrom): ReadWallets {
  const entries = entriesIn(value, from)
  const wallets = new Set<Address>()
  let leftOut = 0
  for (const [index, entry] of entries.entries()) {
    if (isKept(entry, from)) wallets.add(addressIn(entry, index, from))
    else leftOut += 1
    if (wallets.size > maxWallets) {
      throw refusedClaim(from.claim, value, `must have at most ${maxWallets} addresses`)
    }
  }
  return { wallets: [...wallets], leftOut }
}

/** The entries of the list that a claim has or is, after one reading of JSON. A text and an object are a list of one. */
function entriesIn(claim: unknown, from: WalletsFrom): readonly unknown[] {
  const json = typeof claim === 'string' && /^[[{"]/.test(claim) ? claim : undefined
  const value = json === undefined ? claim : parsed(json, from)
  if (Array.isArray(value) && value.length > maxEntries) {
    throw refusedClaim(from.claim, value, `must have at most ${maxEntries} entries`)
  }
  // A name that an object has twice could hide a value from another reader.
  if (json !== undefined && repeatedNames(json).length > 0) {
    throw refusedClaim(from.claim, json, 'must not have a name twice in an object of its JSON')
  }
  if (Array.isArray(value)) return value
  if (typeof value === 'object' && value !== null) return [value]
  if (typeof value !== 'string') throw refusedClaim(from.claim, value, 'must be a list')
  if (!bare(value).startsWith('0x')) {
    throw refusedClaim(from.claim, value, 'must be an address, but does not begin with 0x')
  }
  return [value]
}

function parsed(json: string, { claim }: WalletsFrom): unknown {
  try {
    return JSON.parse(json)
  } catch {
    throw refusedClaim(claim, json, 'begins as JSON, and must be well-formed JSON as a whole')
  }
}

/** Whether an entry is read. Without `where`, only a text that is no address of an EVM chain is not. */
function isKept(entry: unknown, { where }: WalletsFrom): boolean {
  if (!where) return typeof entry !== 'string' || bare(entry).startsWith('0x')
  if (Array.isArray(entry)) return false
  return Object.entries(where).every(([path, values]) => {
    const field = claimAt(entry, path)
    return [values].flat().some((value) => value === field)
  })
}

function addressIn(entry: unknown, index: number, { claim, addressField }: WalletsFrom): Address {
  const isObject = typeof entry === 'object' && entry !== null && !Array.isArray(entry)
  if (isObject && addressField === undefined) {
    throw listFault(claim, index, 'is an object, whose address is in no field of the settings')
  }
  const text = isObject && addressField !== undefined ? claimAt(entry, addressField) : entry
  if (text === undefined) throw listFault(claim, index, `has no field ${addressField}`)
  const { address, fault = 'malformed' } = typeof text === 'string' ? parseAddress(bare(text)) : {}
  if (address) return address
  throw listFault(claim, index, faults[fault])
}

/** The address of a CAIP-10 account of an EVM chain, such as `eip155:137:0x…` (D136); any other text as it is. */
const bare = (text: string): string => text.replace(/^eip155:[0-9]{1,32}:(?=0x)/, '')

const listFault = (claim: string, index: number, fault: string) =>
  new InvalidUserJwt({ claim, rule: `must be a list of addresses: ${index} ${fault}` })

/** What is wrong with a wallet, after its position in the list. */
const faults = {
  malformed: 'is not 0x and 40 hexadecimal digits',
  bad_checksum: 'has a wrong checksum',
}
