import type { Answer } from './answer.ts'

/** A call: a promise of its data, and of the whole response on request. */
export interface ApiCall<T> extends Promise<T> {
  /** Resolves with the data, the request id, the headers, the status and the text of the response. */
  withResponse(): Promise<Answer<T>>
}

/** Makes a call of an answer. */
export function apiCall<T>(answer: Promise<Answer<T>>): ApiCall<T> {
  const data = answer.then((response) => response.data)
  return Object.assign(data, {
    withResponse() {
      // The caller handles the rejection of the answer.
      data.catch(() => undefined)
      return answer
    },
  })
}
