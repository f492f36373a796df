import { emptyTable, memoryFollowNotes, type Turn } from './followed-table.ts'
import {
  emptyKeptTable,
  memoryAttempts,
  memoryDigests,
  memoryKeptContracts,
  memorySnapshotLists,
} from './kept-table.ts'
import { memoryCares } from './memory-cares.ts'
import { emptyMetadataTable, memoryTokenMetadata } from './memory-metadata.ts'

/** What following and keeping have in a table, in memory, with the ports of a process. `turn`: its turn at each call. */
export function tablePorts(
  now: () => number,
  turn: Turn = async () => undefined,
  { followed, kept } = { followed: emptyTable(), kept: emptyKeptTable() },
) {
  const metadata = emptyMetadataTable()
  return {
    ...{ followed, kept, metadata },
    followNotes: memoryFollowNotes(followed, now, turn),
    keptContracts: memoryKeptContracts(kept, turn),
    attempts: memoryAttempts(kept, turn),
    snapshotLists: memorySnapshotLists(kept, turn),
    settledDigests: memoryDigests(),
    contractCares: memoryCares(),
    tokenMetadata: memoryTokenMetadata(metadata, turn),
  }
}
