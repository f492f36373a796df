import { type ByteReader, byteReader } from './byte-reader.ts'

/** The files that a database consists of. */
export interface LiveFiles {
  /** The sizes of the table files in bytes, by file number. */
  tables: Map<number, number>
  /** The number of the oldest write-ahead log with records that no table file has. */
  oldestLog: number
}

/** Reads the rest of a field of a record, by its tag (LevelDB's db/version_edit.cc). */
const fields: Record<number, (reader: ByteReader, live: LiveFiles) => void> = {
  /** The name of the comparator. */
  1: (reader) => reader.slice(),
  2: (reader, live) => {
    live.oldestLog = reader.varint()
  },
  /** The next file number, the last sequence number, the previous log. */
  3: (reader) => reader.varint(),
  4: (reader) => reader.varint(),
  9: (reader) => reader.varint(),
  /** A level, and where its next compaction starts. */
  5: (reader) => {
    reader.varint()
    reader.slice()
  },
  /** A level, and a table file that was removed from it. */
  6: (reader, { tables }) => {
    reader.varint()
    tables.delete(reader.varint())
  },
  /** A level, and a table file that was added to it: its number, size, smallest key and largest key. */
  7: (reader, { tables }) => {
    reader.varint()
    tables.set(reader.varint(), reader.varint())
    reader.slice()
    reader.slice()
  },
}

/** Returns the files of a database from the records of its MANIFEST. Throws if a record is malformed. */
export function liveFiles(records: readonly Buffer[]): LiveFiles {
  const live: LiveFiles = { tables: new Map(), oldestLog: 0 }
  for (const record of records) {
    const reader = byteReader(record)
    while (!reader.isAtEnd) {
      const tag = reader.varint()
      const read = fields[tag]
      if (!read) throw new Error(`unknown field ${tag}`)
      read(reader, live)
    }
  }
  return live
}
