import { InvalidUserJwt } from '../../domain/credential-failures.ts'
import { type Address, parseAddress } from '../../domain/nft/address.ts'
import { chains } from '../../domain/nft/chain.ts'
import { addressOf, type Wallet, walletAt } from '../../domain/nft/wallet.ts'
import { maxWallets } from '../../domain/player/player.ts'
import { repeatedNames } from '../../json/repeated-names.ts'
import type { WalletsFrom } from '../../settings/login-claims.ts'
import { claimAt, refusedClaim } from './user-claims.ts'

const maxEntries = 1_000

/**
 * Reads the distinct wallets in the value of a claim: a list of texts or objects, one of them, or JSON as text of
 * either. `leftOut`: how many entries were left out. Throws InvalidUserJwt with the violated rule (D21, D92, D136,
 * D161).
 */
export function walletsIn(
  value: unknown,
  from: WalletsFrom,
): { wallets: Wallet[]; leftOut: number } {
  const entries = entriesIn(value, from)
  const wallets = new Set<Wallet>()
  const addresses = new Set<Address>()
  let leftOut = 0
  for (const [index, entry] of entries.entries()) {
    const counting = isKept(entry, from) ? walletsOf(entry, index, from) : []
    if (counting.length === 0) leftOut += 1
    for (const wallet of counting) {
      wallets.add(wallet)
      addresses.add(addressOf(wallet))
    }
    if (addresses.size > maxWallets) {
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

/** The wallets of an entry: its address, or with a list of chains one wallet for each. An account of CAIP-10 counts on its chain then. */
function walletsOf(entry: unknown, index: number, from: WalletsFrom): Wallet[] {
  const { address, chainId } = accountIn(entry, index, from)
  if (!from.chains) return [address]
  const ids = from.chains.map((chain) => chains[chain].chainId)
  const counting = ids.filter((id) => chainId === undefined || chainId === `${id}`)
  return counting.map((id) => walletAt(address, id))
}

/** An address, and the id of the chain that its entry names, as text. */
function accountIn(entry: unknown, index: number, { claim, addressField }: WalletsFrom) {
  const isObject = typeof entry === 'object' && entry !== null && !Array.isArray(entry)
  if (isObject && addressField === undefined) {
    throw listFault(claim, index, 'is an object, whose address is in no field of the settings')
  }
  const text = isObject && addressField !== undefined ? claimAt(entry, addressField) : entry
  if (text === undefined) throw listFault(claim, index, `has no field ${addressField}`)
  if (typeof text !== 'string') throw listFault(claim, index, faults.malformed)
  const { address, fault = 'malformed' } = parseAddress(bare(text))
  if (address) return { address, chainId: caip10.exec(text)?.[1] }
  throw listFault(claim, index, faults[fault])
}

/** The beginning of a CAIP-10 account of an EVM chain, such as `eip155:137:0x…`, with the id of the chain. */
const caip10 = /^eip155:([0-9]{1,32}):(?=0x)/

/** The address of a CAIP-10 account (D136); any other text as it is. */
const bare = (text: string): string => text.replace(caip10, '')

const listFault = (claim: string, index: number, fault: string) =>
  new InvalidUserJwt({ claim, rule: `must be a list of addresses: ${index} ${fault}` })

/** What is wrong with a wallet, after its position in the list. */
const faults = {
  malformed: 'is not 0x and 40 hexadecimal digits',
  bad_checksum: 'has a wrong checksum',
}
