import type { Answer } from './answer.ts'
import { send } from './send.ts'

/** A call: a promise of its data, and of the whole response on request. */
export interface ApiCall<T> extends Promise<T> {
  /** Resolves with the data, the request id, the headers, the status and the text of the response. */
  withResponse(): Promise<Answer<T>>
}

/** Calls an operation whose data are of type `T`. */
export function call<T>(...operation: Parameters<typeof send>): ApiCall<T> {
  const answer = send(...operation) as Promise<Answer<T>>
  const data = answer.then((response) => response.data)
  return Object.assign(data, {
    withResponse() {
      // The caller handles the rejection of the answer.
      data.catch(() => undefined)
      return answer
    },
  })
}
