import type { KeptReadings } from '../../../lib/domain/ports/kept-readings.ts'
import type { RememberingSettings } from '../../../lib/domain/reading/freshness.ts'

/** A port that keeps nothing, as in a deployment that has not switched remembering on. */
const nothing: KeptReadings = {
  isOn: false,
  keeps: () => false,
  positions: async () => new Map(),
  find: () => Promise.reject(new Error('not kept')),
  get: async () => undefined,
  noteBranch: () => undefined,
  keep: () => undefined,
  keepBegun: async () => undefined,
  begun: async () => undefined,
  count: () => undefined,
}

/** Nothing that is kept needs to be looked for on its chain. */
const chainBlocks = { block: () => Promise.reject(new Error('not kept')) }

/** The default settings (D65). */
const remembering: RememberingSettings = {
  rememberSeconds: 0,
  rememberFollowedSeconds: 86_400,
  settlingSeconds: 30,
}

/** The ports and settings of reads of players' NFTs with which nothing is remembered. */
export const nothingKept = { keptReadings: nothing, remembering, chainBlocks }
