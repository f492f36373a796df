import { type ByteReader, byteReader } from './byte-reader.ts'
import { isChecksumOf } from './crc32c.ts'
import { decompressSnappy } from './snappy.ts'

const footerSize = 48
const magic = 0xdb4775248b80fb57n
/** The type of compression and the checksum, after each block. */
const trailerSize = 5

/**
 * Checks every block of a table file of LevelDB: the data, the index and the filter. Throws an Error that
 * says where the file is damaged.
 * https://github.com/google/leveldb/blob/main/doc/table_format.md
 */
export function checkTableFile(file: Buffer): void {
  const footer = file.subarray(-footerSize)
  if (footer.length < footerSize || footer.readBigUInt64LE(footerSize - 8) !== magic) {
    throw new Error('it has no end')
  }
  const handles = byteReader(footer)
  for (const index of [readHandle(handles), readHandle(handles)]) {
    for (const block of handlesIn(readBlock(file, index))) checkBlock(file, block)
  }
}

/** The place of a block in its file. */
interface Handle {
  offset: number
  size: number
}

const readHandle = (reader: ByteReader): Handle => ({
  offset: reader.varint(),
  size: reader.varint(),
})

function checkBlock(file: Buffer, { offset, size }: Handle): void {
  const end = offset + size + trailerSize
  const isValid =
    end <= file.length - footerSize &&
    isChecksumOf(file.readUInt32LE(end - 4), file.subarray(offset, end - 4))
  if (!isValid) throw new Error(`wrong checksum at byte ${offset}`)
}

function readBlock(file: Buffer, handle: Handle): Buffer {
  checkBlock(file, handle)
  const { offset, size } = handle
  const content = file.subarray(offset, offset + size)
  const type = file.readUInt8(offset + size)
  if (type > 1) throw new Error(`unknown compression at byte ${offset}`)
  return type === 1 ? decompressSnappy(content) : content
}

/** Returns the handles that are the values of an index block. */
function handlesIn(block: Buffer): Handle[] {
  const restarts = block.readUInt32LE(block.length - 4)
  const entries = byteReader(block.subarray(0, block.length - 4 * (restarts + 1)))
  const handles: Handle[] = []
  while (!entries.isAtEnd) {
    entries.varint() // The length of the prefix that the key shares with the key before it.
    const keyLength = entries.varint()
    const valueLength = entries.varint()
    entries.bytes(keyLength)
    handles.push(readHandle(byteReader(entries.bytes(valueLength))))
  }
  return handles
}
