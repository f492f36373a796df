import type { SettledDigest, SettledDigests } from '../../../lib/domain/ports/settled-digests.ts'

/** What has settled of kept contracts, in memory: by contract, blocks and digest. */
export function memoryDigests(noted = new Map<string, SettledDigest>()): SettledDigests {
  return {
    async add({ chain, address }, settled) {
      const { after, upTo, digest } = settled
      noted.set(`${chain} ${address} ${after} ${upTo} ${digest}`, settled)
    },
    async read({ chain, address }, { after, upTo }) {
      const its = [...noted].filter(([key]) => key.startsWith(`${chain} ${address} `))
      return its
        .map(([, settled]) => settled)
        .filter((settled) => settled.upTo > after && settled.upTo <= upTo)
        .sort((a, b) => a.upTo - b.upTo || a.after - b.after)
    },
  }
}
