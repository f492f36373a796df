import { AsyncLocalStorage } from 'node:async_hooks'

/** The product and the player that a request is about, as far as they are known. */
export interface RequestSubject {
  productId?: string | undefined
  userId?: number | undefined
}

const storage = new AsyncLocalStorage<RequestSubject>()

/**
 * The subject of each request, for its log line (D72). It is noted as soon as it is known, so that the line of a
 * request that fails later has it too.
 */
export const requestSubject = {
  /** Runs a request, including everything that it starts. Its subject is not known at first. */
  during: <Result>(request: () => Promise<Result>): Promise<Result> => storage.run({}, request),
  /** Notes a part of the subject of the current request. Does nothing outside of a request. */
  note: (known: RequestSubject): void => {
    Object.assign(storage.getStore() ?? {}, known)
  },
  /** The subject of the current request, as far as it is known. */
  current: (): Readonly<RequestSubject> => storage.getStore() ?? {},
}
