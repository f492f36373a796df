import type { KeepingPorts } from '../../../domain/holdings/keeping-ports.ts'
import type { TokenMetadata } from '../../../domain/ports/token-metadata.ts'
import { recentlyUsed } from '../../recently-used.ts'
import { keyText } from '../keys/key.ts'
import { metadataKey } from '../keys/metadata-partitions.ts'

/** The time in which a container does not keep the metadata of a token again, in milliseconds, and the most tokens that it knows. */
const keptMilliseconds = 3_600_000
const maxKnown = 10_000

/** Returns what keeps metadata beside the request, that of a token at most once an hour in a container: see KeepingPorts. */
export function keptOnceAnHour({ keep }: Pick<TokenMetadata, 'keep'>): KeepingPorts['keepAsked'] {
  const known = recentlyUsed<string, number>(maxKnown)
  return (nfts, takes) => {
    const now = Date.now()
    const due = nfts.filter((nft) => {
      const name = keyText(metadataKey(nft))
      if ((known.get(name) ?? 0) > now || !takes(nft)) return false
      known.set(name, now + keptMilliseconds)
      return true
    })
    if (due.length > 0) keep(due)
  }
}
