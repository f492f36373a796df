import {
  type DownstreamCounts,
  type Lifetime,
  type RequestScope,
  requestScope,
} from './request-scope.ts'
import { type DownstreamService, type DownstreamTimes, timesOf } from './service-times.ts'

const emptyScope = (): RequestScope => ({ counts: {}, calls: [], subject: {} })

/** The error of a call that is in progress, or would begin, after the response of its request. */
const callAfterResponse = () => new Error('the request was answered before')

/** The longest time for which a request waits for work beside it, after everything else, in milliseconds. */
const besideMilliseconds = 1_000

async function settled(work: Iterable<Promise<unknown>>): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const timeout = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, besideMilliseconds)
  })
  await Promise.race([Promise.all(work), timeout])
  clearTimeout(timer)
}

/** Waits for the work beside a request that has begun until now, once. */
async function settledIn(scope: RequestScope): Promise<void> {
  const { beside } = scope
  if (!beside || beside.size === 0) return
  scope.settling ??= settled(beside)
  await scope.settling
}

/** Made once, because a new error for each request would be more expensive than the abort itself. */
const answered = callAfterResponse()

/** The calls to other services, counted for each request or message separately, and ended with it. */
export const downstreamCalls = {
  /**
   * Runs a request, including everything that it starts. When the request has ended, calls in progress
   * are aborted and no further call can begin, not even after Lambda thaws the container (D38).
   */
  during: async <Result>(request: () => Promise<Result>): Promise<Result> => {
    const lifetime: Lifetime = { hasEnded: false }
    const scope: RequestScope = { ...emptyScope(), lifetime, beside: new Set() }
    try {
      return await requestScope.run(scope, request)
    } finally {
      await settledIn(scope)
      lifetime.hasEnded = true
      lifetime.controller?.abort(answered)
    }
  },
  /**
   * Lets work run beside the request that nothing in the response depends on, such as counting. The request
   * ends after this work, but waits for it no longer than {@link besideMilliseconds}. An error of the work is
   * ignored.
   */
  beside: (work: Promise<unknown>): void => {
    const beside = requestScope.getStore()?.beside
    const done = (): unknown => beside?.delete(ended)
    const ended = work.then(done, done)
    beside?.add(ended)
  },
  /**
   * Waits for the work beside the current request, as the end of the request does, so that its counts are complete.
   */
  besideDone: async (): Promise<void> => {
    const scope = requestScope.getStore()
    if (scope) await settledIn(scope)
  },
  /** Runs a read whose result several requests share: counted for the current one, but it does not end with it. */
  shared: <Result>(read: () => Result): Result => {
    const scope = requestScope.getStore()
    if (!scope) return read()
    const { counts, calls, subject } = scope
    return requestScope.run({ counts, calls, subject }, read)
  },
  /** Makes every call that is not a read wait for the permission (D46), which rejects if the request is refused. */
  requirePermission: (permission: Promise<unknown>): void => {
    // The request can fail for another reason before it waits for the permission.
    permission.catch(() => undefined)
    const scope = requestScope.getStore()
    if (scope) scope.permission = permission
  },
  /** Makes every call of the current request to the indexer, each attempt included, wait until `take` permits it (D78). */
  limitIndexerCalls: (take: () => Promise<void>): void => {
    const scope = requestScope.getStore()
    if (scope) scope.takeIndexerCall = take
  },
  /** Runs work that is not about the current request, and does not wait for its permission, but ends with it. */
  withoutPermission: <Result>(work: () => Result): Result => {
    const { permission: _, takeIndexerCall: __, ...scope } = requestScope.getStore() ?? emptyScope()
    return requestScope.run(scope, work)
  },
  /** Waits for the permission of the current request. Throws if the request is refused. */
  permitted: async (): Promise<void> => {
    await requestScope.getStore()?.permission
  },
  /** Waits until the current request may make one more call of the indexer. Throws if it must not. */
  indexerPermitted: async (): Promise<void> => {
    const scope = requestScope.getStore()
    await (scope?.takeIndexerCall ? scope.takeIndexerCall() : scope?.permission)
  },
  /**
   * Begins and counts an attempt of an HTTP request. Returns the signal that aborts it. Throws if its request has
   * ended.
   */
  begin: (service: DownstreamService): AbortSignal | undefined => {
    const lifetime = requestScope.getStore()?.lifetime
    if (lifetime?.hasEnded) throw callAfterResponse()
    add(service, 1, 0)
    if (!lifetime) return undefined
    lifetime.controller ??= new AbortController()
    return lifetime.controller.signal
  },
  /** Counts one call that failed after all its attempts. */
  countFailure: (service: DownstreamService): void => add(service, 0, 1),
  /** Counts compute units that the indexer bills for one HTTP request. */
  countIndexerUnits: (units: number): void => {
    const counts = requestScope.getStore()?.counts
    if (counts) counts.indexerUnits = (counts.indexerUnits ?? 0) + units
  },
  /**
   * Runs a call to a service with all its attempts, and notes its time for the current request, also if it fails.
   */
  timed: async <Result>(
    service: DownstreamService,
    call: () => Promise<Result>,
  ): Promise<Result> => {
    const timed = { service, since: performance.now(), until: Number.NaN }
    requestScope.getStore()?.calls.push(timed)
    try {
      return await call()
    } finally {
      timed.until = performance.now()
    }
  },
  counts: (): DownstreamCounts => ({ ...requestScope.getStore()?.counts }),
  /** How long the current request waited for each service so far. */
  times: (): DownstreamTimes => timesOf(requestScope.getStore()?.calls ?? []),
  /** The times of the calls of the indexer of the current request, in whole milliseconds; of one in progress, so far. */
  indexerCallTimes(): number[] {
    const now = performance.now()
    const calls = requestScope.getStore()?.calls ?? []
    return (
      calls
        .filter(({ service }) => service === 'indexer')
        // Rounded up, because a timer may end a fraction of a millisecond before its time.
        .map(({ since, until }) => Math.ceil((Number.isNaN(until) ? now : until) - since))
    )
  },
}

function add(service: DownstreamService, calls: number, failures: number): void {
  const counts = requestScope.getStore()?.counts
  if (!counts) return
  counts[`${service}Calls`] = (counts[`${service}Calls`] ?? 0) + calls
  counts[`${service}Failures`] = (counts[`${service}Failures`] ?? 0) + failures
}
