import { createHash } from 'node:crypto'
import {
  closeSync,
  fdatasyncSync,
  ftruncateSync,
  openSync,
  renameSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { damaged } from './damaged.ts'

/** Changes of files: the checksum of the new content by the file's name, or null for a removed file. */
export type FileChanges = Readonly<Record<string, string | null>>

/**
 * The names and checksums of files, in a file of its own. A line for each change lets the next run find
 * out that a file has changed otherwise, or is missing.
 */
export interface FileRegister {
  /** The expected checksums by file name. */
  readonly checksums: ReadonlyMap<string, string>
  /** The last change, if it is not known whether it was carried out before the process was killed. */
  readonly uncertain: FileChanges | undefined
  /** Registers changes and carries them out. If that fails, throws, and the register is as before. */
  change(changes: FileChanges, carryOut: () => void): void
  /** Registers these files and no others. */
  replace(checksums: ReadonlyMap<string, string>): void
  close(): void
}

/** The first character of a line: whether its changes were carried out. */
const [begun, done] = [' ', '+']

/** The number of lines after which the register is written anew. */
const mostLines = 10_000

/**
 * Opens the register in `file`, whose content is `text`. Its changes begin with `replace`. Throws if others
 * have changed the content.
 */
export function openFileRegister(file: string, text: string): FileRegister {
  let { checksums, uncertain, chain } = parse(file, text)
  let descriptor: number | undefined
  let end = 0
  let lines = 0

  const append = (changes: FileChanges, carryOut: () => void) => {
    if (descriptor === undefined) throw new Error('The register has no content yet.')
    const line = lineOf(chain, changes)
    const start = end
    try {
      writeSync(descriptor, begun + line.text, start)
      fdatasyncSync(descriptor)
      carryOut()
    } catch (error) {
      ftruncateSync(descriptor, start)
      throw error
    }
    writeSync(descriptor, done, start)
    end = start + Buffer.byteLength(begun + line.text)
    chain = line.chain
    apply(changes, checksums)
  }
  const replace = (next: ReadonlyMap<string, string>) => {
    const line = lineOf('', Object.fromEntries(next))
    const beside = `${file}.unfinished`
    writeFileSync(beside, done + line.text, { mode: 0o600, flush: true })
    renameSync(beside, file)
    if (descriptor !== undefined) closeSync(descriptor)
    descriptor = openSync(file, 'r+')
    end = Buffer.byteLength(done + line.text)
    chain = line.chain
    checksums = new Map(next)
    uncertain = undefined
    lines = 0
  }
  return {
    get checksums() {
      return checksums
    },
    get uncertain() {
      return uncertain
    },
    change(changes, carryOut) {
      append(changes, carryOut)
      lines += 1
      if (lines >= mostLines) replace(checksums)
    },
    replace,
    close() {
      if (descriptor !== undefined) closeSync(descriptor)
    },
  }
}

/** Returns the checksum of a file's content. */
export const checksumOf = (content: string | Buffer): string =>
  createHash('sha256').update(content).digest('hex')

function parse(file: string, text: string) {
  const checksums = new Map<string, string>()
  let uncertain: FileChanges | undefined
  let chain = ''
  // A killed process can leave an incomplete line without its line end, whose changes it did not carry out.
  const lines = text.split('\n').slice(0, -1)
  for (const [index, line] of lines.entries()) {
    const changes = changesIn(line, chain)
    // Only the last change can be uncertain.
    if (!changes || uncertain) throw damaged(file, `unexpected content in line ${index + 1}`)
    if (line[0] === done) apply(changes, checksums)
    else uncertain = changes
    chain = line.slice(1, 65)
  }
  return { checksums, uncertain, chain }
}

/** Returns the changes of a line, which contains a checksum of itself and the line before it. */
function changesIn(line: string, chain: string): FileChanges | undefined {
  if (line[0] !== begun && line[0] !== done) return undefined
  const json = line.slice(66)
  if (line.slice(1, 66) !== `${checksumOf(chain + json)} `) return undefined
  return JSON.parse(json)
}

function lineOf(before: string, changes: FileChanges): { text: string; chain: string } {
  const json = JSON.stringify(changes)
  const chain = checksumOf(before + json)
  return { text: `${chain} ${json}\n`, chain }
}

function apply(changes: FileChanges, checksums: Map<string, string>): void {
  for (const [name, checksum] of Object.entries(changes)) {
    if (checksum === null) checksums.delete(name)
    else checksums.set(name, checksum)
  }
}
