import type { Address } from './address.ts'
import type { ContractKey } from './nft.ts'
import type { Indexer } from './ports/indexer.ts'
import type { Deadline } from './time-budget.ts'

/** The ERC-20 token whose balance player details show (D29). */
export interface ServiceToken {
  token: ContractKey
  /** The number of decimal places of a whole token. */
  decimals: number
  /** The symbol of the token, if the deployment names it. */
  symbol?: string
}

/** The balance of all wallets in total, in the token's smallest unit. */
export async function totalBalance(
  { token }: ServiceToken,
  wallets: readonly Address[],
  deadline: Deadline,
  indexer: Indexer,
): Promise<bigint> {
  const balances = await Promise.all(
    wallets.map((owner) => indexer.balance({ token, owner, deadline })),
  )
  return balances.reduce((sum, balance) => sum + balance, 0n)
}

/**
 * Returns an ERC-20 amount in whole tokens as exact decimal text: no exponent, no trailing zeros, `0` for
 * nothing (D29). `units`: the amount in the token's smallest unit; `decimals`: its decimal places.
 */
export function decimalAmount(units: bigint, decimals: number): string {
  const digits = units.toString().padStart(decimals + 1, '0')
  const whole = digits.slice(0, digits.length - decimals)
  const fraction = digits.slice(digits.length - decimals).replace(/0+$/, '')
  return fraction === '' ? whole : `${whole}.${fraction}`
}
