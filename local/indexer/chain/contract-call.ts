import { type TokenId, tokenIdOf } from '../../../lib/domain/allowlist/token-id.ts'
import { type Address, toAddress } from '../../../lib/domain/nft/address.ts'
import { ApiError, addressFrom } from '../api-error.ts'
import type { Collection, Ledger } from '../world.ts'
import { hashOf, latestNumber } from './blocks.ts'
import type { ChainCall } from './chain-methods.ts'
import type { ChainEvent, Movement } from './chain-state.ts'
import { blockNumberFrom } from './log-filter.ts'
import { runCode } from './smart-accounts.ts'

interface Called {
  ledger: Ledger
  address: Address
  block: number
}

type ContractFunction = (called: Called, words: readonly string[]) => string

const functions: Record<Collection['tokenType'], Readonly<Record<string, ContractFunction>>> = {
  ERC721: {
    '01ffc9a7': supportsInterface('80ac58cd'),
    '6352211e': ownerOf,
    '70a08231': balanceOf,
  },
  ERC1155: { '01ffc9a7': supportsInterface('d9b67a26'), '4e1273f4': balanceOfBatch },
}

/** The interface of ERC-165 itself. */
const erc165 = '01ffc9a7'

/**
 * `eth_call` of `ownerOf` and `balanceOf` of ERC-721 contracts, `balanceOfBatch` of ERC-1155 contracts and `supportsInterface` of both,
 * with the holdings at a block. An address without a contract returns nothing, and a contract reverts other calls. Without an address, see
 * {@link runCode}.
 */
export function callContract(call: ChainCall, [message, blockName]: readonly unknown[]) {
  const { to, data, input = data } = (message ?? {}) as Record<string, unknown>
  const address = to === undefined ? undefined : addressFrom(to, 'to')
  const block = calledBlock(call, blockName)
  if (address === undefined) return runCode(call, String(input))
  const ledger = call.world[call.network]
  const collection = ledger.collections.get(address)
  if (!collection) return '0x'
  const [, selector = '', words = ''] =
    /^0x([0-9a-f]{8})((?:[0-9a-f]{64})*)$/.exec(String(input).toLowerCase()) ?? []
  const called = functions[collection.tokenType][selector]
  if (!called) throw reverted()
  return `0x${called({ ledger, address, block }, words.match(/.{64}/g) ?? [])}`
}

function supportsInterface(standard: string): ContractFunction {
  return (_, [id = '']) => word([erc165, standard].includes(id.slice(0, 8)) ? 1 : 0)
}

function ownerOf({ ledger, address, block }: Called, [id]: readonly string[]): string {
  const tokenId = tokenIdIn(id)
  let owner: Address | undefined
  for (const [wallet, held] of ledger.wallets) {
    if (held.get(address)?.has(tokenId)) owner = wallet
  }
  for (const moved of movementsAfter(ledger.chain.events, address, block)) {
    if (moved.tokenId === tokenId) owner = moved.from
  }
  if (!owner) throw new ApiError(200, 'execution reverted: ERC721: invalid token ID', 3)
  return word(owner)
}

function balanceOf({ ledger, address, block }: Called, [account]: readonly string[]): string {
  const wallet = accountIn(account)
  let count = ledger.wallets.get(wallet)?.get(address)?.size ?? 0
  for (const { from, to } of movementsAfter(ledger.chain.events, address, block)) {
    if (from === wallet) count += 1
    if (to === wallet) count -= 1
  }
  return word(count)
}

function balanceOfBatch(called: Called, words: readonly string[]): string {
  const [accounts, ids] = [listAt(words, 0), listAt(words, 1)]
  if (accounts.length !== ids.length) {
    throw new ApiError(200, 'execution reverted: ERC1155: accounts and ids length mismatch', 3)
  }
  const balances = accounts.map((account, index) =>
    word(amountOf(called, accountIn(account), tokenIdIn(ids[index]))),
  )
  return [word(32), word(balances.length), ...balances].join('')
}

function amountOf({ ledger, address, block }: Called, wallet: Address, tokenId: TokenId): bigint {
  let amount = ledger.wallets.get(wallet)?.get(address)?.get(tokenId) ?? 0n
  for (const moved of movementsAfter(ledger.chain.events, address, block)) {
    if (moved.tokenId !== tokenId) continue
    if (moved.from === wallet) amount += moved.amount
    if (moved.to === wallet) amount -= moved.amount
  }
  return amount
}

/** Returns the movements of a contract after a block, the latest first. */
const movementsAfter = (
  events: readonly ChainEvent[],
  contract: Address,
  block: number,
): readonly Movement[] =>
  events
    .slice(events.findLastIndex((event) => event.block <= block) + 1)
    .reverse()
    .filter(({ address }) => address === contract)
    .map(({ movement }) => movement)

/** Returns the elements of the list whose offset in bytes is a word. */
function listAt(words: readonly string[], index: number): readonly string[] {
  const start = Number(numberIn(words[index])) / 32
  const length = Number(numberIn(words[start]))
  const elements = words.slice(start + 1, start + 1 + length)
  if (elements.length !== length) throw reverted()
  return elements
}

const accountIn = (text: string | undefined): Address =>
  toAddress(`0x${numberIn(text).toString(16).padStart(40, '0').slice(-40)}`)

const tokenIdIn = (text: string | undefined): TokenId => tokenIdOf(numberIn(text))

function numberIn(text: string | undefined): bigint {
  if (text === undefined) throw reverted()
  return BigInt(`0x${text}`)
}

/** What a node says of a call that a contract reverts without a reason. */
const reverted = () => new ApiError(200, 'execution reverted', -32000)

const word = (value: string | number | bigint): string =>
  BigInt(value).toString(16).padStart(64, '0')

/**
 * Parses the block of a call, and returns its number: a number, a tag, or an object with the number or the hash (EIP-1898). Throws an
 * {@link ApiError} for a block that the chain does not have.
 */
function calledBlock(call: ChainCall, value: unknown = 'latest'): number {
  const latest = latestNumber(call.network, call.now)
  const { blockHash, blockNumber = value } = Object(value)
  if (blockHash !== undefined) return numberOf(call, String(blockHash).toLowerCase(), latest)
  const number = blockNumberFrom(blockNumber, latest)
  if (number > latest) throw notFound()
  return number
}

/** The blocks in which a hash is looked for, from the latest one backwards: hashes are not stored. */
const maxAge = 10_000

function numberOf({ world, network }: ChainCall, hash: string, latest: number): number {
  for (let number = latest; number >= Math.max(0, latest - maxAge); number -= 1) {
    if (hashOf(world, network, number) === hash) return number
  }
  throw notFound()
}

/** What Geth says of a block that it does not have. */
const notFound = () => new ApiError(200, 'header not found', -32000)
