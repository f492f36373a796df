import type { HashedBlock } from '../ports/chain-events.ts'
import type { KnownBlock } from '../ports/follow-notes.ts'
import type { ChosenBlocks } from './choose-blocks.ts'
import { firstOfOverlap } from './known-blocks.ts'

const before = ({ number: end }: HashedBlock, blocks: readonly KnownBlock[]): KnownBlock[] =>
  blocks.filter(({ number }) => number < end)

/** The first block of the overlap that the next step reads again. */
export const nextFirst = (
  { blocks, to }: Pick<ChosenBlocks, 'blocks' | 'to'>,
  overlapMilliseconds: number,
): KnownBlock => firstOfOverlap([...before(to, blocks), to], to, overlapMilliseconds)

/** The blocks that are known after a step: those of the overlap that the next step reads again, and those that it has to compare. */
export function blocksAfter(
  { blocks, to }: Pick<ChosenBlocks, 'blocks' | 'to'>,
  { overlapMilliseconds, readAt }: { overlapMilliseconds: number; readAt: number },
): KnownBlock[] {
  const isLast = ({ hash }: KnownBlock) => hash === to.hash
  const last = { ...to, readAt: blocks.find(isLast)?.readAt ?? readAt }
  const first = nextFirst({ blocks, to }, overlapMilliseconds)
  return [...before(to, blocks), last].filter(
    (block) => block.number >= first.number || block.readAt !== undefined,
  )
}
