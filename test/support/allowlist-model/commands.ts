import fc from 'fast-check'
import { type RangeLimits, rangeLimits } from '../../../lib/domain/allowlist/allowlist-limits.ts'
import type { Call } from './allowlist-set.ts'
import { begin, type CallerStep, type ModelledSystem, type ModelRun, settle } from './model-run.ts'
import { type CellRange, cells, singleCells } from './token-cells.ts'

type Command = fc.AsyncCommand<ModelRun, ModelledSystem>

/** Limits that few calls reach, and limits that none reaches. */
export const someLimits: fc.Arbitrary<RangeLimits> = fc.constantFrom(
  { rangesPerContract: 2, rangesPerProduct: 3, tokenIdsInUnboundRanges: 2 },
  { rangesPerContract: 4, rangesPerProduct: 5, tokenIdsInUnboundRanges: 4 },
  rangeLimits,
)

const cell = fc.nat(cells.length - 1)

const element: fc.Arbitrary<CellRange> = fc.oneof(
  { weight: 5, arbitrary: fc.constantFrom(...singleCells).map((at) => ({ from: at, to: at })) },
  {
    weight: 5,
    arbitrary: fc
      .tuple(cell, fc.nat(3))
      .map(([from, more]) => ({ from, to: Math.min(from + more, cells.length - 1) })),
  },
  {
    weight: 2,
    arbitrary: fc.tuple(cell, cell).map(([a, b]) => ({ from: Math.min(a, b), to: Math.max(a, b) })),
  },
  { weight: 1, arbitrary: fc.constant({ from: 0, to: cells.length - 1 }) },
)

const mixed = fc.uniqueArray(element, {
  minLength: 1,
  maxLength: 5,
  selector: ({ from, to }) => `${from} ${to}`,
})

/** Neighbours, which a range can cover later. */
const neighbours = fc
  .tuple(fc.nat(singleCells.length - 3), fc.integer({ min: 3, max: 9 }))
  .map(([start, count]) =>
    singleCells.slice(start, start + count).map((at) => ({ from: at, to: at })),
  )

const elements = fc.oneof({ weight: 6, arbitrary: mixed }, { weight: 1, arbitrary: neighbours })

const contract = fc.constantFrom(1, 1, 1, 1, 1, 0)

const allowlisting = fc
  .record({ contract, elements, description: fc.option(fc.constantFrom('a', 'b'), { freq: 3 }) })
  .map(
    ({ description, ...rest }): Call => ({
      kind: 'allowlist',
      ...rest,
      ...(description !== null && { description }),
    }),
  )

const unbinding = fc
  .record({ contract, elements, kind: fc.constantFrom('unbind', 'unbindList') })
  .map((call): Call => call)

const call: fc.Arbitrary<Call> = fc.oneof(
  { weight: 8, arbitrary: allowlisting },
  { weight: 7, arbitrary: unbinding },
  { weight: 2, arbitrary: contract.map((at): Call => ({ kind: 'disconnect', contract: at })) },
  { weight: 1, arbitrary: fc.nat(9).map((message): Call => ({ kind: 'sweep', message })) },
  {
    weight: 2,
    arbitrary: fc.integer({ min: 1, max: 5 }).map((limit): Call => ({ kind: 'list', limit })),
  },
  { weight: 1, arbitrary: fc.constant<Call>({ kind: 'list', limit: 1_000 }) },
  {
    weight: 2,
    arbitrary: fc.constantFrom(7, 100).map((pageSize): Call => ({ kind: 'playerNfts', pageSize })),
  },
  { weight: 1, arbitrary: fc.constant<Call>({ kind: 'contracts' }) },
)

const step = fc.record({
  caller: fc.nat(2),
  call,
  dies: fc.oneof(
    { weight: 7, arbitrary: fc.constant(undefined) },
    { weight: 1, arbitrary: fc.nat(16) },
  ),
  repeats: fc.boolean(),
})

const makes = ({ caller, ...rest }: CallerStep): Command => ({
  check: () => true,
  run: async (run, system) => begin(run, system, { caller, ...rest }),
  toString: () => `caller ${caller}: ${JSON.stringify(rest)}`,
})

const settles: Command = {
  check: () => true,
  run: settle,
  toString: () => 'all calls end',
}

const connects = fc
  .record({ contract, elements })
  .map((rest): Call => ({ kind: 'allowlist', ...rest, description: 'first' }))

/** Calls of `callers` callers, which run at the same time until all calls end. */
export function someCommands(callers: number): fc.Arbitrary<Iterable<Command>> {
  const made = step.map((each) => makes({ ...each, caller: each.caller % callers }))
  return fc.commands([made, made, made, made, made, fc.constant(settles)], {
    maxCommands: 16,
    size: 'max',
  })
}

/** A call that most histories begin with, because most other calls need a connected contract. */
export const someBeginning: fc.Arbitrary<Call | undefined> = fc.option(connects, {
  freq: 6,
  nil: undefined,
})
