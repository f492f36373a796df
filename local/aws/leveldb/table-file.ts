import { crc32c, masked } from './crc32c.ts'

const footerSize = 48
const magic = 0xdb4775248b80fb57n

/**
 * Checks that a table file of LevelDB consists of whole blocks, and that its footer names the last two. A file without
 * a footer can be that of a process that was killed while it wrote; if the database needs it, LevelDB refuses to read it.
 * Throws an Error that says where the file is damaged.
 * https://github.com/google/leveldb/blob/main/doc/table_format.md
 */
export function checkTableFile(file: Buffer): void {
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
