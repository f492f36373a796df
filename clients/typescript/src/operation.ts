import type { OperationId } from './types.ts'

/** A credential that an operation can take. */
export type Credential = 'apiKey' | 'playerToken' | 'userJwt' | 'session'

/** How the client sends an operation and reads its answer. */
export interface Operation {
  id: OperationId
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  /** The path of the operation, with `{name}` where a parameter belongs. */
  path: string
  credentials: readonly Credential[]
  /**
   * `reads`: changes nothing. `repeatable`: a second request leaves what one request leaves. `once`: a
   * second request makes a second product or key.
   */
  effect: 'reads' | 'repeatable' | 'once'
  /** The form of the body, where the method does not say it: a POST and a PATCH send JSON, the others nothing. */
  sends?: 'form' | 'json' | 'nothing'
  /** The parameters that are sent in the query, beside a body. */
  inQuery?: readonly string[]
  /** Whether the response is the document itself, without `data`. */
  bare?: true
  /** Whether the answer can speak of an earlier moment, so that the request says which age is accepted. */
  hasAge?: true
  /** Changes the data of the service into that of the client. `text` is the body of the response. */
  convert?: (data: never, text: string) => unknown
}
