import { localValues, readLocal, removeLocal, writeLocal } from '../../shell/local-database.ts'

/** A wait before a request is sent again. */
export interface Wait {
  /** In milliseconds since 1970. */
  until: number
  error: unknown
}

/** What a list of elements is sent for. */
export interface SendingTask {
  kind: 'allowlist' | 'unbind'
  productId: string
  chain: string
  address: string
  description?: string
}

/** A list that is being sent, or was stopped, as the browser keeps it. */
export interface KeptSending extends SendingTask {
  id: string
  what: string
  total: number
  position: number
  removed: number
}

/** A list that is being sent, as the page shows it. */
export interface Sending extends KeptSending {
  /** `stopped` by the user or by a reload; `failed` by an error that waiting did not help. */
  status: 'sending' | 'stopped' | 'failed' | 'done'
  wait?: Wait | undefined
  error?: unknown
  /** Whether the browser keeps the list, so that it survives a reload. */
  isKept: boolean
}

const prefix = 'sending '
const elementsKey = (id: string) => `elements ${id}`

/** Lists in the database of the browser, so that they can be continued after a reload. The functions reject if it has none, or no room. */
export const keptSendings = {
  async list(productId: string): Promise<KeptSending[]> {
    const found = await localValues<KeptSending>(prefix)
    return found.filter((sending) => sending.productId === productId)
  },
  /** Returns a list with its elements, or `undefined` if it is not kept any more. */
  async read(id: string) {
    const kept = await readLocal<KeptSending>(prefix + id)
    const text = await readLocal<string>(elementsKey(id))
    return kept && text !== undefined ? { kept, elements: text.split('\n') } : undefined
  },
  add: (sending: KeptSending, elements: readonly string[]) =>
    // One text takes a fraction of the time and room of 100,000 values.
    writeLocal({ [prefix + sending.id]: sending, [elementsKey(sending.id)]: elements.join('\n') }),
  update: (sending: KeptSending) => writeLocal({ [prefix + sending.id]: sending }),
  remove: (id: string) => removeLocal(prefix + id, elementsKey(id)),
}
