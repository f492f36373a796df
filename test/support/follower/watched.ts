import { tokenIdOf } from '../../../lib/domain/allowlist/token-id.ts'
import type { Address } from '../../../lib/domain/nft/address.ts'
import { alice, bob, contract, followedChain } from './followed.ts'

/** A chain with a watched contract that is followed long enough for its log to have begun. */
export async function watchedForTwoMinutes() {
  const followed = followedChain()
  const { chain, watch, follow, logged, noted } = followed
  watch(contract)
  await follow(120)
  const emit = (address: Address, count?: number, tokens?: number) =>
    emitTransfers(chain, address, { count, tokens })
  /** What is logged of the contract but for what was before it was watched. */
  const entries = (address = contract) => logged(address).slice(1)
  const loggedUpTo = () => noted.position()?.log?.loggedUpTo.number ?? 0
  return { ...followed, emit, entries, loggedUpTo }
}

/** Adds transfers of some tokens each to the next block. */
export function emitTransfers(
  chain: Pick<ReturnType<typeof followedChain>['chain'], 'emit'>,
  address: Address,
  { count = 1, tokens = 1 }: { count?: number | undefined; tokens?: number | undefined } = {},
): void {
  const content = {
    ...({ kind: 'transfer', from: alice, to: bob } as const),
    tokens: Array.from({ length: tokens }, (_, index) => ({
      tokenId: tokenIdOf(BigInt(index)),
      amount: '1',
    })),
  }
  for (let index = 0; index < count; index += 1) {
    chain.emit({
      contract: address,
      wallets: [alice, bob],
      details: { transactionHash: '0x7', content },
    })
  }
}

/** The block of the latest event. */
export const lastBlock = (chain: { logs: { block: { number: number } }[] }) =>
  chain.logs.at(-1)?.block.number ?? 0
