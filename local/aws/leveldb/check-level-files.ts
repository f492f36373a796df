import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { damaged } from '../level-folder.ts'

/**
 * Checks the checksums in the files of a LevelDB that no process has open: LevelDB itself skips damaged records of its
 * logs, and does not verify its tables. Throws an error that names the file. A log may end too early or be missing.
 */
export function checkLevelFiles(folder: string): void {
  const names = readdirSync(folder)
  const isManifest = (file: Buffer) => {
    if (!names.includes(`${file}`.slice(0, -1))) throw new Error('unexpected content')
  }
  for (const name of names) {
    if (name === 'CURRENT') check(isManifest, join(folder, name))
    else if (/^(MANIFEST-\d+|\d+\.log)$/.test(name)) check(checkLogFile, join(folder, name))
    else if (/^\d+\.(ldb|sst)$/.test(name)) check(checkTableFile, join(folder, name))
  }
}

function check(content: (file: Buffer) => void, path: string): void {
  try {
    content(readFileSync(path))
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    if (code === undefined) throw damaged(path, message)
    throw new Error(`${path} cannot be read (${code})`, { cause: error })
  }
}

const logBlockSize = 32_768
const headerSize = 7
const [full, first, middle, last] = [1, 2, 3, 4] // The types of a record's fragments.

/**
 * Checks a log file of LevelDB: a write-ahead log or a MANIFEST. A file that ends within a record is valid, because a
 * process can be killed during a write. Throws an Error that says where the file is damaged.
 * https://github.com/google/leveldb/blob/main/doc/log_format.md
 */
function checkLogFile(file: Buffer): void {
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
    const leftInBlock = logBlockSize - (at % logBlockSize)
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

const footerSize = 48
const magic = 0xdb4775248b80fb57n

/**
 * Checks that a table file of LevelDB consists of whole blocks, and that its footer names the last two. A file without
 * a footer can be that of a process that was killed while it wrote; if the database needs it, LevelDB refuses to read it.
 * Throws an Error that says where the file is damaged.
 * https://github.com/google/leveldb/blob/main/doc/table_format.md
 */
function checkTableFile(file: Buffer): void {
  const end = file.length - footerSize
  if (end < 0 || file.readBigUInt64LE(file.length - 8) !== magic) return
  const handles: Buffer[] = []
  for (let start = 0; start < end; ) {
    const size = blockSize(file, start, end)
    handles.push(Buffer.from([...varint(start), ...varint(size)]))
    start += size + 5
  }
  const footer = Buffer.concat(handles.slice(-2), footerSize - 8)
  if (!footer.equals(file.subarray(end, -8))) throw new Error('unexpected footer')
}

/**
 * The size of the block at `start`. The byte after it says whether it is compressed, 0 or 1, and the next four are the
 * checksum of all that. So the block ends where they are; that they are elsewhere by chance is as likely as 1 in 2^39.
 */
function blockSize(file: Buffer, start: number, end: number): number {
  let crc = 0
  for (let at = start; at + 5 <= end; at += 1) {
    crc = crc32c(file, at, at + 1, crc)
    if (file.readUInt8(at) <= 1 && file.readUInt32LE(at + 1) === masked(crc)) return at - start
  }
  throw new Error(`wrong checksum at byte ${start}`)
}

/** A whole number in 7 bits for each byte. */
const varint = (value: number): number[] =>
  value < 128 ? [value] : [(value % 128) + 128, ...varint(Math.floor(value / 128))]

const crcTable = Uint32Array.from({ length: 256 }, (_, byte) => {
  let crc = byte
  for (let bit = 0; bit < 8; bit += 1) crc = crc & 1 ? (crc >>> 1) ^ 0x82f63b78 : crc >>> 1
  return crc
})

/** The CRC-32C (RFC 3720, appendix B.4) of the bytes from `start` to `end`, after `crc`, that of the bytes before. */
function crc32c(bytes: Uint8Array, start: number, end: number, crc = 0): number {
  let rest = ~crc
  for (let at = start; at < end; at += 1) {
    rest = (crcTable[(rest ^ (bytes[at] as number)) & 0xff] as number) ^ (rest >>> 8)
  }
  return ~rest >>> 0
}

/** A checksum as LevelDB stores it (`crc32c::Mask` in its util/crc32c.h). */
const masked = (crc: number): number =>
  ((((crc >>> 15) | (crc << 17)) >>> 0) + 0xa282ead8) % 2 ** 32
