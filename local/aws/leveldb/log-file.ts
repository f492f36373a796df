import { crc32c, masked } from './crc32c.ts'

const blockSize = 32_768
const headerSize = 7
const [full, first, middle, last] = [1, 2, 3, 4] // The types of a record's fragments.

/**
 * Checks a log file of LevelDB: a write-ahead log or a MANIFEST. A file that ends within a record is valid, because a
 * process can be killed during a write. Throws an Error that says where the file is damaged.
 * https://github.com/google/leveldb/blob/main/doc/log_format.md
 */
export function checkLogFile(file: Buffer): void {
  let isInRecord = false
  for (const { at, type } of fragmentsOf(file)) {
    const isStart = type === full || type === first
    if (isStart === isInRecord || type < full || type > last) {
      throw new Error(`missing record before byte ${at}`)
    }
    isInRecord = type === first || type === middle
  }
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
    if (end - at > leftInBlock || file.readUInt32LE(at) !== masked(crc32c(file, at + 6, end))) {
      // After a power failure, a file system can leave zeros at the end of a file.
      if (file.subarray(at).every((byte) => byte === 0)) return
      throw new Error(`wrong checksum at byte ${at}`)
    }
    yield { at, type: file.readUInt8(at + 6) }
    at = end
  }
}
