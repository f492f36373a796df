import type { KeptContracts } from '../../../domain/ports/kept-contracts.ts'
import { readItem } from '../item-reads.ts'
import { keptContractKey } from '../keys/kept-partitions.ts'
import type { Table } from '../table.ts'
import { contractIn } from './kept-contract-item.ts'

/** Reads a contract that is kept, or is about to be. Reads that begin at the same moment are one request. */
export const dynamoKeptContract =
  (table: Table): KeptContracts['contract'] =>
  async (key) =>
    contractIn(await readItem(table, keptContractKey(key)))
