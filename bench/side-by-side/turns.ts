import { type FunctionProcess, type Run, startFunctionProcess } from '../function-process.ts'
import type { Operation } from '../scenario/operations.ts'
import { median } from '../statistics.ts'
import type { Subject } from '../subjects/bundles.ts'

export type Measured = ReturnType<typeof measuredOf>

/** An operation of one side of a comparison. */
export interface Contender {
  subject: Subject
  variables: Record<string, string>
  /** Command-line options of Node.js (default none). */
  nodeOptions?: readonly string[] | undefined
  operation: Operation
}

interface Turns {
  warmUpCalls: number
  turns: number
  callsPerTurn: number
}

/**
 * Measures operations in turn, each in a process of its own, after a warm-up. The first one begins every even
 * turn, and the last one every odd turn. Throws if the numbers of NFTs in the responses differ.
 */
export async function measureInTurns<Name extends string>(
  title: string,
  contenders: Readonly<Record<Name, Contender>>,
  { warmUpCalls, turns, callsPerTurn }: Turns,
): Promise<Record<Name, Measured>> {
  const names = Object.keys(contenders) as Name[]
  const runs = Object.fromEntries(names.map((name) => [name, [] as Run[]])) as Record<Name, Run[]>
  await using ending = new AsyncDisposableStack()
  const processes = {} as Record<Name, FunctionProcess>
  for (const name of names) {
    const { subject, variables, nodeOptions, operation } = contenders[name]
    processes[name] = ending.use(await startFunctionProcess(subject, variables, nodeOptions))
    await carryOut(operation, processes[name], warmUpCalls)
  }
  for (let turn = 0; turn < turns; turn += 1) {
    for (const name of turn % 2 === 0 ? names : names.toReversed()) {
      const { operation } = contenders[name]
      runs[name].push(await carryOut(operation, processes[name], callsPerTurn))
    }
  }
  checkSame(title, runs)
  return Object.fromEntries(names.map((name) => [name, measuredOf(runs[name])])) as Record<
    Name,
    Measured
  >
}

async function carryOut(
  { event, restore }: Operation,
  process: FunctionProcess,
  calls: number,
): Promise<Run> {
  const run = await process.run(Array.from({ length: calls }, event))
  restore?.()
  return run
}

/** A comparison is meaningless if the responses differ. */
function checkSame(title: string, runs: Readonly<Record<string, readonly Run[]>>): void {
  const answers = Object.entries(runs).map(([name, each]) => ({
    name,
    entries: each.flatMap(({ operations }) => operations.map(({ entries }) => entries)).join(),
  }))
  if (new Set(answers.map(({ entries }) => entries)).size > 1) {
    const texts = answers.map(({ name, entries }) => `${name} answered ${entries} NFTs`)
    throw new Error(`${title}: ${texts.join('; ')}`)
  }
}

function measuredOf(runs: readonly Run[]) {
  const operations = runs.flatMap((run) => run.operations)
  const milliseconds = operations.map((operation) => operation.milliseconds)
  const cpuMilliseconds = runs.reduce((sum, run) => sum + run.cpuMilliseconds, 0)
  return {
    /** The median duration of calls, in milliseconds. */
    p50: median(milliseconds),
    /** Processor time of a call, in milliseconds. */
    cpuMilliseconds: cpuMilliseconds / operations.length,
    /** The peak memory of the process, in megabytes. */
    memoryMegabytes: Math.max(...runs.map(({ peakMegabytes }) => peakMegabytes)),
    /** The duration of each call, in order. */
    milliseconds,
    slowestMilliseconds: Math.max(...operations.map((each) => each.slowestMilliseconds)),
  }
}
