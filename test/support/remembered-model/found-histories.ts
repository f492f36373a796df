import type { History } from './history.ts'

const deployment = {
  ...{ blockMilliseconds: 250, rememberSeconds: 0, rememberFollowedSeconds: 86_400 },
  logsPerMinute: 1_000,
} as const
const orphan = { kind: 'orphan', token: 0, milliseconds: 45_000, behind: 5_000 } as const
const read = { kind: 'read', player: 0, cacheControl: 0 } as const
const move = { kind: 'move', chain: 'POLYGON', token: 0, to: 0 } as const
const allow = { kind: 'allow', chain: 'POLYGON', token: 0 } as const
const readPages = { kind: 'readPages', player: 0, cacheControl: 0, limit: 1, pause: 0 } as const

/** Histories in which an answer was wrong, once. */
export const foundHistories: readonly (History & { name: string })[] = [
  {
    name: 'the node that answers with the events is behind the one that told the latest block',
    ...{ ...deployment, seed: 1, pageSize: 100 },
    events: [
      { wait: 0, event: { kind: 'nodeBehind', player: 1 } },
      { wait: 0, event: { kind: 'nodeBehind', player: 2 } },
    ],
  },
  {
    name: 'a movement comes and vanishes between two polls',
    ...{ ...deployment, seed: 1, pageSize: 100 },
    events: [
      { wait: 0, event: { kind: 'betweenPolls', player: 1, token: 1 } },
      { wait: 0, event: { kind: 'betweenPolls', player: 2, token: 4 } },
    ],
  },
  {
    name: 'a movement vanishes, and the node of the known block changes its branch last',
    ...{ ...deployment, seed: 14, pageSize: 2 },
    events: [
      { wait: 13_488, event: move },
      { wait: 10_207, event: { ...orphan, to: 0, player: 2 } },
      { wait: 0, event: read },
      { wait: 0, event: read },
      { wait: 0, event: { kind: 'burst', player: 0, call: 'noteMovements' } },
      { wait: 0, event: move },
      { wait: 0, event: read },
    ],
  },
  {
    name: 'a movement happens again before the overlap, and the node of the known block changes its branch last',
    ...{ ...deployment, seed: 12, pageSize: 2 },
    events: [
      { wait: 2_503, event: allow },
      { wait: 3_295, event: { ...orphan, to: 0, player: 1, loses: false } },
      { wait: 0, event: read },
      { wait: 0, event: move },
      { wait: 0, event: { kind: 'stagger', player: 0 } },
      { wait: 0, event: allow },
      { wait: 0, event: readPages },
    ],
  },
  {
    name: 'a movement happens again before the overlap, and the list is read in parts',
    ...{ ...deployment, seed: 303_003_365, pageSize: 100, rememberSeconds: 45 },
    events: [
      {
        wait: 14_940,
        event: { kind: 'indexer', isDown: false, isRefused: false, statedAge: 0, lag: 'full' },
      },
      { wait: 71, event: { ...orphan, to: 1, player: 0, loses: false } },
      { wait: 0, event: readPages },
      { wait: 0, event: read },
      { wait: 0, event: read },
    ],
  },
  {
    name: 'a step begins to follow a contract between the reads of its evidence',
    ...{ ...deployment, seed: 0, pageSize: 2, rememberSeconds: 20 },
    ...{ blockMilliseconds: 250, hasSilentChain: true },
    events: [
      { wait: 4_021, event: { ...orphan, to: 1, player: 2, behind: 0 } },
      { wait: 5_778, event: { ...readPages, player: 2, limit: 2, pause: 20_000 } },
      { wait: 301, event: { ...read, player: 2 } },
      { wait: 6_894, event: { ...read, player: 1 } },
      { wait: 1_414, event: { kind: 'announce', contract: 0 } },
      { wait: 24_215, event: { ...orphan, to: 0, player: 2, milliseconds: 1, behind: 0 } },
      { wait: 656, event: { ...read, player: 1 } },
      { wait: 150, event: { kind: 'shareSecond', player: 2, of: 'follow' } },
      { wait: 6_758, event: { kind: 'shareSecond', player: 1, of: 'move' } },
      { wait: 13_350, event: { kind: 'switchBranch', player: 1, to: 1, isMixed: true } },
      { wait: 14_215, event: { kind: 'burst', player: 1, call: 'moveTo' } },
      { wait: 14_929, event: { ...read, player: 1 } },
      { wait: 4_834, event: { kind: 'forget', token: 0, to: 2, player: 0, what: 'contract' } },
    ],
  },
  {
    name: 'parts of a reading are lost while it is being kept',
    ...{ ...deployment, seed: 1_753_183_255, pageSize: 2, rememberSeconds: 20 },
    ...{ blockMilliseconds: 2_000, hasSilentChain: true },
    events: [
      { wait: 1_220, event: { ...move, token: 2 } },
      { wait: 1_095, event: { ...read, player: 2 } },
      { wait: 379, event: { kind: 'double' } },
      { wait: 1_019, event: read },
      { wait: 1_346, event: { ...move, chain: 'BSC', token: 3, to: 2 } },
      { wait: 3_490, event: { ...move, token: 6 } },
      { wait: 0, event: { kind: 'refresh', contract: 0, milliseconds: 500 } },
      { wait: 0, event: { ...move, token: 1 } },
      { wait: 18_524, event: move },
      { wait: 0, event: { ...read, player: 2 } },
      { wait: 115, event: { kind: 'tamper', what: 'readings' } },
      { wait: 169, event: { kind: 'sell', player: 1 } },
      { wait: 971, event: { kind: 'tamper', what: 'expiry' } },
      { wait: 0, event: { kind: 'betweenPolls', player: 0, token: 0, isMixed: false } },
      { wait: 0, event: move },
    ],
  },
]
