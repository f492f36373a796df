import { isChecksumOf } from './crc32c.ts'

const blockSize = 32_768
const headerSize = 7

/** The types of a record's fragments. */
const [full, first, middle, last] = [1, 2, 3, 4]

/**
 * Returns the records of a log file of LevelDB: a write-ahead log or a MANIFEST. A file that ends within a
 * record is valid, because a process can be killed during a write. Throws an Error that says where the
 * file is damaged.
 * https://github.com/google/leveldb/blob/main/doc/log_format.md
 */
export function readLogFile(file: Buffer): Buffer[] {
  const records: Buffer[] = []
  let fragments: Buffer[] | undefined
  for (const { at, type, content } of fragmentsOf(file)) {
    const isStart = type === full || type === first
    if (isStart === (fragments !== undefined) || type < full || type > last) {
      throw new Error(`missing record before byte ${at}`)
    }
    fragments = [...(fragments ?? []), content]
    if (type === first || type === middle) continue
    records.push(Buffer.concat(fragments))
    fragments = undefined
  }
  return records
}

function* fragmentsOf(file: Buffer) {
  let at = 0
  while (at + headerSize <= file.length) {
    const leftInBlock = blockSize - (at % blockSize)
    if (leftInBlock < headerSize) {
      at += leftInBlock
      continue
    }
    const end = at + headerSize + file.readUInt16LE(at + 4)
    if (end > file.length) return
    const checked = file.subarray(at + 6, end)
    if (end - at > leftInBlock || !isChecksumOf(file.readUInt32LE(at), checked)) {
      // After a power failure, a file system can leave zeros at the end of a file.
      if (file.subarray(at).every((byte) => byte === 0)) return
      throw new Error(`wrong checksum at byte ${at}`)
    }
    yield { at, type: checked.readUInt8(), content: checked.subarray(1) }
    at = end
  }
}
