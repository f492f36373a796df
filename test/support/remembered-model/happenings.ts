import type { Address } from '../../../lib/domain/nft/address.ts'
import type { ContractKey } from '../../../lib/domain/nft/nft.ts'
import { readBalance } from './balance-reader.ts'
import { betweenPolls } from './between-polls.ts'
import { contractAt } from './followed-table.ts'
import type { Followers } from './followers.ts'
import type { Happening, HappeningOf } from './history.ts'
import { listInParts } from './list-in-parts.ts'
import { nodeBehind } from './node-behind.ts'
import { readPages } from './page-reader.ts'
import { read } from './readers.ts'
import { reorganise } from './reorganise.ts'
import { burst, forget, lateLease, orphan, sell, stagger, suspend } from './scenarios.ts'
import { shareSecond } from './shared-second.ts'
import { switchBranch } from './switched-branch.ts'
import { tamper } from './tampering.ts'
import {
  connectAnew,
  contractKeys,
  disconnect,
  setAllowed,
  type World,
  walletAddresses,
} from './world.ts'

type Kind = Happening['kind']

const happenings: {
  [Name in Kind]: (world: World, event: HappeningOf<Name>, followers: Followers) => unknown
} = {
  move: ({ chains }, { chain, token, to }) =>
    chains.get(chain)?.submit({ kind: 'move', token, to: walletAddresses[to] as Address }),
  announce({ chains }, { contract }) {
    const { chain, address } = contractKeys[contract] as ContractKey
    chains.get(chain)?.submit({ kind: 'metadata', contract: address })
  },
  reorganise,
  orphan,
  ...{
    betweenPolls,
    forget,
    listInParts,
    nodeBehind,
    sell,
    stagger,
    burst,
    lateLease,
    suspend,
    switchBranch,
    shareSecond,
  },
  read: (world, { player, cacheControl }) => read(world, player, cacheControl),
  readPages,
  readBalance,
  allow: (world, event) => changeAllowlist(world, event),
  disallow: (world, event) => changeAllowlist(world, event),
  reconnect({ memory, allowlist }, { contract }) {
    connectAnew(memory, contract)
    allowlist.note()
  },
  async disconnect({ memory, allowlist, time }, { contract, milliseconds }) {
    disconnect(memory, contract)
    allowlist.note()
    await time.sleep(milliseconds)
    connectAnew(memory, contract)
    allowlist.note()
  },
  refresh,
  indexer: ({ indexer }, { kind: _, ...mood }) => Object.assign(indexer, mood),
  nodes: ({ nodes }, { kind: _, ...mood }) => Object.assign(nodes, mood),
  kill: (_, { moment }, followers) => followers.kill(moment),
  killAt(_, { call }, followers) {
    followers.killAt = call
  },
  stall: (_, { milliseconds }, followers) => followers.stall(milliseconds),
  double: (_, __, followers) => followers.start(),
  gap: (_, { milliseconds }, followers) => followers.pause(milliseconds),
  tamper: (world, { what }) => tamper(world, what),
}

/** Lets an event of a history happen. Resolves when it has ended. */
export async function happen(world: World, event: Happening, followers: Followers): Promise<void> {
  const handler = happenings[event.kind] as (...args: unknown[]) => unknown
  await handler(world, event, followers)
}

function changeAllowlist(
  { memory, allowlist }: World,
  { kind, chain, token }: HappeningOf<'allow' | 'disallow'>,
): void {
  setAllowed(memory, chain, token, kind === 'allow')
  allowlist.note()
}

/** A refresh (4.7): the indexer fetches the metadata of a contract anew while it is at work. */
async function refresh(
  world: World,
  { contract, milliseconds }: HappeningOf<'refresh'>,
): Promise<void> {
  const { time, table, fetches, refreshed } = world
  const { chain, address } = contractKeys[contract] as ContractKey
  const key = contractAt(chain, address)
  if (table.refreshed.get(key)?.isAtWork) return
  table.refreshed.set(key, { at: time.now(), isAtWork: true })
  const fetchMilliseconds = time.between(0, milliseconds)
  await time.sleep(fetchMilliseconds)
  const count = (fetches.get(key) ?? 0) + 1
  fetches.set(key, count)
  await time.sleep(milliseconds - fetchMilliseconds)
  table.refreshed.set(key, { at: time.now(), isAtWork: false })
  refreshed.set(key, count)
}
