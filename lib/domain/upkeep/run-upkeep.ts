import type { LookedAt } from '../audits/second-look.ts'
import { isOver, type KeptContract } from '../holdings/kept-contract.ts'
import type { Chain } from '../nft/chain.ts'
import type { Block } from '../ports/chain-events.ts'
import type { LookPlace } from '../ports/contract-care.ts'
import { unusedLists } from '../snapshots/unused-lists.ts'
import { chooseContracts } from './choose-contracts.ts'
import { type DueWork, dueWork, type KeptChain } from './due-work.ts'
import type { UpkeepPorts } from './upkeep-ports.ts'

/** The most items of a kind that one run sends. The next run sends the others. */
const maxSent = 20

/** The time between two looks at all kept contracts, in milliseconds. */
const turnMilliseconds = 55_000

/** How long a second look is repeated, in milliseconds. */
const lookMilliseconds = 3_600_000

/**
 * Chooses the contracts of chains that are kept, and sends once a minute what is due for them, at once if one begins to be kept: snapshots, audits, second looks, questions for due metadata
 * and deletions of lists (D153). Can run twice and at any time: what is sent is noted before, and not sent again while it is surely at
 * work or waits. Returns the number of items that it has sent. Throws ServiceUnavailable.
 */
export async function runUpkeep(chains: readonly Chain[], ports: UpkeepPorts): Promise<number> {
  const begun = await chooseContracts(chains, ports)
  const now = ports.now()
  const isTurn = await ports.contractCares.takeTurn({ now, until: now + turnMilliseconds })
  if (!isTurn && begun.length === 0) return 0
  const due: DueWork[] = []
  let sent = 0
  for (const chain of chains) {
    const kept = await readChain(chain, ports)
    due.push(...dueWork(kept, ports.now()))
    sent += await lookAgainAt(kept, ports)
  }
  for (const some of Map.groupBy(due, ({ work }) => work).values()) {
    for (const { of, work, item, ...moment } of some.slice(0, maxSent)) {
      if (!(await ports.contractCares.reserve(of, work, moment))) continue
      await ports.workQueue.send(item, 0)
      sent += 1
    }
  }
  return sent
}

async function readChain(chain: Chain, ports: UpkeepPorts): Promise<KeptChain> {
  const [items, care, lists] = await Promise.all([
    ports.keptContracts.contracts(chain),
    ports.contractCares.chain(chain),
    unusedLists(chain, ports, ports.now()),
  ])
  return { chain, items, care, lists }
}

/** Sends the second look that is due, before it is noted: one that is sent twice is harmless. */
async function lookAgainAt(
  { chain, items, care: { look, looks } }: KeptChain,
  { contractCares, followNotes, workQueue, now }: UpkeepPorts,
): Promise<number> {
  const position = await followNotes.position(chain)
  const next = position && nextLook(look, position.head, now())
  if (!next) return 0
  const { due, place } = next
  const contracts = due ? lookedAt(items, due.to, now()) : []
  const isSent = due !== undefined && contracts.length > 0
  if (isSent) {
    const from = Math.max(due.from, Math.min(...contracts.map(({ since }) => since)) + 1)
    const again = { chain, from, to: due.to, contracts }
    await workQueue.send({ kind: 'secondLook', look: again, until: now() + lookMilliseconds }, 0)
  }
  await contractCares.moveLook(chain, place, looks)
  return isSent ? 1 : 0
}

const lookedAt = (items: readonly KeptContract[], to: number, now: number): LookedAt[] =>
  items.flatMap(({ address, snapshot }) =>
    snapshot && !isOver(snapshot, now) && snapshot.since < to
      ? [{ address, id: snapshot.id, since: snapshot.since }]
      : [],
  )

/** How long ago the end of blocks is whose events are read again, and how long after that the next end is chosen, in milliseconds. */
const ageMilliseconds = 5 * 60_000
const betweenMilliseconds = 5 * 60_000

/**
 * Every ten minutes, the blocks of ten minutes that ended at least five minutes ago are due (D154). Each end is a block that was the head when
 * it was chosen, so that no block is left out whatever time blocks take. `undefined`: nothing changes.
 */
export function nextLook(
  place: LookPlace | undefined,
  head: Block,
  now: number,
): { place: LookPlace; due?: { from: number; to: number } } | undefined {
  if (!place) return { place: { upTo: head.number, at: now } }
  const { upTo, at, mark } = place
  if (!mark) {
    const { number } = head
    return now - at < betweenMilliseconds
      ? undefined
      : { place: { upTo, at, mark: { number, at: head.at } } }
  }
  if (now - mark.at < ageMilliseconds) return undefined
  const to = Math.max(upTo, mark.number)
  return { place: { upTo: to, at: now }, ...(to > upTo && { due: { from: upTo + 1, to } }) }
}
