import type { Wait } from './send-list.ts'

/** What a list of elements is sent for. */
export interface SendingTask {
  kind: 'allowlist' | 'unbind'
  /** The product to which the API key belongs. */
  productId: string
  chain: string
  address: string
  /** The description of a contract, for allowlisting. */
  description?: string
}

/** A list that is being sent, or was stopped, as the browser keeps it. */
export interface KeptSending extends SendingTask {
  id: string
  /** The elements in words. Lists that an earlier release has kept have none. */
  what?: string
  /** The number of elements of the list. */
  total: number
  /** The number of elements that were sent. */
  position: number
  /** The number of NFTs that unbinding has removed. */
  removed: number
}

/** A list that is being sent, as the page shows it. */
export interface Sending extends KeptSending {
  /** `stopped` by the user or by a reload; `failed` by an error that waiting did not help. */
  status: 'sending' | 'stopped' | 'failed' | 'done'
  /** The wait before the next request, if one is under way. */
  wait?: Wait | undefined
  /** Why it has failed. */
  error?: unknown
  /** Whether the browser keeps the list, so that it survives a reload. */
  isKept: boolean
}
