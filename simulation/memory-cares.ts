import type { Address } from '../lib/domain/nft/address.ts'
import {
  type ContractCare,
  type ContractCares,
  type LookPlace,
  noCare,
} from '../lib/domain/ports/contract-care.ts'

/** What the worker notes about the contracts of one chain, in memory. */
export function memoryCares(): ContractCares & {
  of: Map<string, ContractCare>
  looks: LookPlace[]
} {
  const of = new Map<string, ContractCare>()
  const moments = new Map<string, number>()
  const looks: LookPlace[] = []
  let turnFrom = 0
  const at = ({ address = '' }: { address?: string }) => of.get(address) ?? noCare
  return {
    ...{ of, looks },
    chain: async () => ({
      contracts: new Map([...of] as [Address, ContractCare][]),
      metadataFrom: moments.get('metadata') ?? 0,
      ...{ looks: looks.length, look: looks.at(-1) },
    }),
    contract: async (key) => at(key),
    async reserve(key, work, { before, until }, notes) {
      const name = work === 'metadata' ? work : `${key.address} ${work}`
      if ((moments.get(name) ?? 0) !== before) return false
      moments.set(name, until)
      if (key.address) of.set(key.address, { ...at(key), ...notes, [`${work}From`]: until })
      return true
    },
    async note({ address }, notes) {
      of.set(address, { ...at({ address }), ...notes })
    },
    async takeTurn({ now, until }) {
      if (turnFrom > now) return false
      turnFrom = until
      return true
    },
    async moveLook(_chain, look, count) {
      if (looks.length !== count) return false
      looks.push(look)
      return true
    },
  }
}
