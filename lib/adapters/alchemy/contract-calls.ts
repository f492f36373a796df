import type { TokenId } from '../../domain/allowlist/token-id.ts'
import { type Address, toAddress } from '../../domain/nft/address.ts'
import { malformedResponse } from './malformed-response.ts'

/** A read of a contract: the data of `eth_call`, and what its result says. */
export interface ContractCall<Answer> {
  /** The contract's function and its arguments (Solidity's ABI specification), in hexadecimal. */
  data: string
  /** Reads the result; that of a call that the contract reverts is `undefined`. Throws IndexerUnavailable. */
  read(result: string | undefined): Answer
}

/** `ownerOf(uint256)` of ERC-721. The owner is `null` if the call reverts, returns nothing or the zero address. */
export const ownerOf = (tokenId: TokenId): ContractCall<Address | null> => ({
  data: `0x6352211e${word(tokenId)}`,
  read(result) {
    if (result === undefined || result === '0x') return null
    const [owner = '', ...rest] = wordsIn(result)
    if (rest.length > 0 || !/^0{24}.{40}$/.test(owner)) {
      throw malformedResponse('an owner that is no address')
    }
    return /^0+$/.test(owner) ? null : toAddress(`0x${owner.slice(24)}`)
  },
})

/** `balanceOf(address)` of ERC-721. */
export const balanceOf = (wallet: Address): ContractCall<bigint> => ({
  data: `0x70a08231${word(wallet)}`,
  read(result) {
    const [count, ...rest] = wordsIn(result)
    if (count === undefined || rest.length > 0) throw malformedResponse('a count that is none')
    return BigInt(`0x${count}`)
  },
})

/** `balanceOfBatch(address[],uint256[])` of ERC-1155, whose balances are in the order of the pairs. */
export function balanceOfBatch(
  pairs: readonly { wallet: Address; tokenId: TokenId }[],
): ContractCall<bigint[]> {
  const wallets = list(pairs.map(({ wallet }) => wallet))
  const tokenIds = list(pairs.map(({ tokenId }) => tokenId))
  // The two lists come after their offsets in bytes.
  const offsets = [word(64), word(64 + wallets.length * 32)]
  return {
    data: `0x4e1273f4${[...offsets, ...wallets, ...tokenIds].join('')}`,
    read(result) {
      const [offset, length, ...balances] = wordsIn(result)
      const isList = offset === word(32) && length === word(pairs.length)
      if (!isList || balances.length !== pairs.length) {
        throw malformedResponse('not the balances asked for')
      }
      return balances.map((balance) => BigInt(`0x${balance}`))
    },
  }
}

/** `supportsInterface(bytes4)` of ERC-165. A contract that does not have it, or answers anything else, supports nothing. */
export const supportsInterface = (id: string): ContractCall<boolean> => ({
  data: `0x01ffc9a7${id.padEnd(64, '0')}`,
  read: (result) => result === `0x${word(1)}`,
})

const list = (elements: readonly string[]): string[] => [
  word(elements.length),
  ...elements.map(word),
]

/** A number or an address in the 32 bytes of the EVM, as hexadecimal digits. */
const word = (value: string | number): string => BigInt(value).toString(16).padStart(64, '0')

/** The words of a result, in lower case. None of a call that reverts. */
function wordsIn(result: string | undefined): string[] {
  if (result === undefined) throw malformedResponse('a call that the contract reverts')
  if (!/^0x([0-9a-fA-F]{64})*$/.test(result)) throw malformedResponse('not a result of a contract')
  return result.slice(2).toLowerCase().match(/.{64}/g) ?? []
}
