import { IndexerUnavailable } from '../failures.ts'
import type { ContractKey } from '../nft/nft.ts'
import { addressesOn, type Wallet } from '../nft/wallet.ts'
import type { Indexer } from '../ports/indexer.ts'
import type { KeptBalance, KeptBalances, OwnedBalance } from '../ports/kept-balances.ts'
import {
  type AcceptedAge,
  acceptedSeconds,
  acceptedStaleSeconds,
  acceptsKept,
} from '../reading/freshness.ts'
import type { Deadline } from '../time-budget.ts'

export interface BalancePorts {
  indexer: Pick<Indexer, 'balance'>
  keptBalances: KeptBalances
}

/** A balance in total, in the token's smallest unit, and how fresh it is (D156). */
interface TotalBalance {
  units: bigint
  /** The moment of the oldest balance in it, in milliseconds since 1970. */
  asOf: number
  /** Whether a balance is older than the rules allow, because the indexer is down. */
  isStale: boolean
}

/**
 * The total balance of all wallets that count on the chain of the token. A kept balance is used if its age is accepted
 * (D156).
 */
export async function totalBalance(
  { token }: { token: ContractKey },
  wallets: readonly Wallet[],
  { acceptedAge, deadline }: { acceptedAge: AcceptedAge; deadline: Deadline },
  { indexer, keptBalances }: BalancePorts,
): Promise<TotalBalance> {
  const owners = addressesOn(token.chain, wallets)
  const kept = acceptsKept(acceptedAge) ? await keptBalances.find(token, owners) : new Map()
  const fetched: OwnedBalance[] = []
  const balances = await Promise.all(
    owners.map(async (owner) => {
      const known: KeptBalance | undefined = kept.get(owner)
      if (known && isFresh(known, keptBalances, acceptedAge)) return asKept(known, false)
      const readAt = Date.now()
      try {
        const units = await indexer.balance({ token, owner, deadline })
        fetched.push({ owner, units, readAt })
        return { units, asOf: readAt, isStale: false }
      } catch (error) {
        const isAccepted = known && ageOf(known) <= acceptedStaleSeconds(acceptedAge) * 1_000
        if (!(error instanceof IndexerUnavailable) || !isAccepted) throw error
        return asKept(known, true)
      }
    }),
  )
  if (fetched.length > 0) keptBalances.keep(token, fetched)
  return {
    units: balances.reduce((sum, { units }) => sum + units, 0n),
    asOf: Math.min(Date.now(), ...balances.map(({ asOf }) => asOf)),
    isStale: balances.some(({ isStale }) => isStale),
  }
}

const ageOf = ({ readAt }: KeptBalance): number => Date.now() - readAt

const isFresh = (
  kept: KeptBalance,
  { rememberSeconds }: KeptBalances,
  acceptedAge: AcceptedAge,
): boolean =>
  ageOf(kept) < rememberSeconds * 1_000 && ageOf(kept) <= acceptedSeconds(acceptedAge) * 1_000

const asKept = ({ units, readAt: asOf }: KeptBalance, isStale: boolean): TotalBalance => ({
  units,
  asOf,
  isStale,
})

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
