import { isDeepStrictEqual } from 'node:util'
import { expect } from 'vitest'
import { Killed } from '../memory/interruptions.ts'
import type { Tap } from '../memory/memory-ports.ts'
import {
  type Call,
  type ContractSet,
  emptyContract,
  expectExplained,
  membersOf,
  partsOf,
  predict,
  type Read,
  type Reply,
  type Write,
} from './allowlist-set.ts'
import { type AllowlistSystem, contentsOf, contractKeys, perform } from './allowlist-system.ts'
import { type CellSet, cellsOfText, everyCell, noCells } from './token-cells.ts'

/** A call of a caller, which can die at a moment of it, and can repeat it afterwards. */
export interface CallerStep {
  caller: number
  call: Call
  /** The number of port calls and responses before the process of the caller is killed. */
  dies?: number | undefined
  repeats: boolean
}

/** A system that callers use, and in which the calls of different callers interleave. */
export interface ModelledSystem extends AllowlistSystem {
  /** The ports of one process. */
  portsOf(tap: Tap): AllowlistSystem['ports']
  /** Waits for the turn of a port call. */
  turn(call: string): unknown
  /** Waits until all calls have ended. */
  untilEnded(calls: Promise<unknown>): Promise<unknown>
}

/** A call that runs. */
interface Running {
  isWrite: boolean
  /** Whether no call that changes the list has run at the same time. */
  isAlone: boolean
}

/** A history of calls, and the sets of the model. */
export const newRun = () => ({
  clock: 0,
  /** The sets, as far as they are known: calls that overlap or crash leave several possibilities. */
  sets: contractKeys.map(() => emptyContract) as readonly ContractSet[],
  isKnown: true,
  running: new Set<Running>(),
  /** Whether calls take turns. */
  isInterleaved: true,
  /** The calls of each caller, one after the other. */
  callers: [] as Promise<unknown>[],
  writes: contractKeys.map((): Write[] => []),
  reads: contractKeys.map((): Read[] => []),
})

export type ModelRun = ReturnType<typeof newRun>

const isWrite = ({ kind }: Call): boolean => !['list', 'playerNfts', 'contracts'].includes(kind)

/** Lets a caller make a call after its earlier calls. */
export function begin(run: ModelRun, system: ModelledSystem, step: CallerStep): void {
  const earlier = run.callers[step.caller] ?? Promise.resolve()
  run.callers[step.caller] = earlier.then(() => takeStep(run, system, step))
}

async function takeStep(run: ModelRun, system: ModelledSystem, step: CallerStep): Promise<void> {
  const { call, dies, repeats } = step
  const current: Running = { isWrite: isWrite(call), isAlone: run.isKnown }
  for (const other of run.running) {
    if (other.isWrite) current.isAlone = false
    if (current.isWrite) other.isAlone = false
  }
  run.running.add(current)
  let reply = await makeCall(run, system, call, dies)
  const hasDied = reply === undefined
  if (hasDied && repeats) reply = await makeCall(run, system, call)
  run.running.delete(current)
  if (current.isAlone && reply) {
    const predicted = predict(run.sets, call, system.limits)
    // The response to a repeat says what the repeat has changed.
    if (!hasDied) expectSame({ call, reply }, { call, reply: predicted.reply })
    run.sets = predicted.next
  } else if (current.isWrite) run.isKnown = false
}

/** Compares without the time that a passed assertion takes. */
function expectSame(actual: unknown, expected: unknown): void {
  if (!isDeepStrictEqual(actual, expected)) expect(actual).toEqual(expected)
}

/** Makes a call in a process of its own. `undefined`: the process was killed. */
async function makeCall(
  run: ModelRun,
  system: ModelledSystem,
  call: Call,
  dies = Number.POSITIVE_INFINITY,
): Promise<Reply | undefined> {
  let moments = 0
  const tap: Tap = async (name, when) => {
    if (when === 'before' && run.isInterleaved) await system.turn(name)
    moments += 1
    if (moments > dies) throw new Killed('killed by the test')
  }
  const write = beginWrite(run, call)
  const began = run.clock++
  let reply: Reply | undefined
  try {
    reply = await perform(system, call, system.portsOf(tap))
  } catch (error) {
    if (!(error instanceof Killed)) reply = { problem: problemOf(error) }
  }
  const times = { began, ended: run.clock++ }
  if (write) Object.assign(write, { ended: times.ended, isCompleted: reply !== undefined })
  // A call that is refused changes nothing.
  if (write && reply?.problem) write.cells = noCells
  if (reply) noteReads(run, call, reply, times)
  return reply
}

function problemOf(error: unknown): string {
  const code = (error as { code?: unknown }).code
  const expected = ['contract_not_connected', 'invalid_request', 'too_many_ranges', 'too_many_nfts']
  if (typeof code !== 'string' || !expected.includes(code)) throw error
  return code
}

function beginWrite(run: ModelRun, call: Call): Write | undefined {
  if (!isWrite(call) || call.kind === 'sweep' || !('contract' in call)) return undefined
  const { ranges, singles } = partsOf(call.kind === 'disconnect' ? [] : call.elements)
  const cells = call.kind === 'disconnect' ? everyCell : ranges | singles
  const isAdded = call.kind === 'allowlist'
  const write = { cells, isAdded, began: run.clock, ended: Number.POSITIVE_INFINITY }
  run.writes[call.contract]?.push({ ...write, isCompleted: false })
  return run.writes[call.contract]?.at(-1)
}

/** Notes what a response says about the lists. */
function noteReads(
  run: ModelRun,
  call: Call,
  reply: Reply,
  times: { began: number; ended: number },
): void {
  const note = (contract: number, inside: CellSet, outside: CellSet) =>
    run.reads[contract]?.push({ inside, outside, ...times })
  if (
    'contract' in call &&
    ['contract_not_connected', 'invalid_request'].includes(reply.problem ?? '')
  ) {
    note(call.contract, noCells, everyCell)
  }
  for (const [contract, held] of (reply.held ?? []).entries()) {
    note(contract, held, everyCell & ~held)
  }
  if (!reply.pages) return
  const inside = contractKeys.map(() => noCells)
  for (const [contract, text] of reply.pages.flat()) {
    // A range can grow between two pages.
    const cells = cellsOfText(text)
    if (reply.pages.length === 1) expectSame((inside[contract] as CellSet) & cells, noCells)
    inside[contract] = (inside[contract] as CellSet) | cells
  }
  for (const [contract, cells] of inside.entries()) {
    // Between two pages, a range that begins before the cursor can cover later identifiers.
    note(contract, cells, reply.pages.length === 1 ? everyCell & ~cells : noCells)
  }
}

/** Waits until all calls have ended, and compares the system with the model. */
export async function settle(run: ModelRun, system: ModelledSystem): Promise<void> {
  await system.untilEnded(Promise.all(run.callers))
  const contents = await contentsOf(system)
  if (run.isKnown) expectSame(contents, run.sets)
  const times = { began: run.clock++, ended: run.clock++ }
  for (const [contract, set] of contents.entries()) {
    const inside = membersOf(set)
    run.reads[contract]?.push({ inside, outside: everyCell & ~inside, ...times })
    expectExplained(run.reads[contract] as Read[], run.writes[contract] as Write[])
  }
  run.sets = contents
  run.isKnown = true
}

/** Ends a history: reads the lists in pages of all sizes, and removes everything. */
export async function finish(run: ModelRun, system: ModelledSystem): Promise<void> {
  await settle(run, system)
  run.isInterleaved = false
  // Messages of calls that have crashed arrive while the contract is connected.
  await deliverAll(run, system)
  const calls: Call[] = [1, 2, 3, 1_000].map((limit) => ({ kind: 'list', limit }))
  calls.push({ kind: 'playerNfts', pageSize: 100 }, { kind: 'contracts' })
  for (const [contract, { isConnected }] of run.sets.entries()) {
    if (isConnected) calls.push({ kind: 'disconnect', contract })
  }
  for (const call of calls) begin(run, system, { caller: 0, call, repeats: false })
  await settle(run, system)
  await deliverAll(run, system)
}

async function deliverAll(run: ModelRun, system: ModelledSystem): Promise<void> {
  for (const message of system.messages.keys()) {
    begin(run, system, { caller: 0, call: { kind: 'sweep', message }, repeats: false })
  }
  await settle(run, system)
}
