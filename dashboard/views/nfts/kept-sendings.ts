import { localKeys, readLocal, removeLocal, writeLocal } from '../../shell/local-database.ts'
import type { KeptSending } from './sending.ts'

/** Keeps lists that are being sent in the browser, so that they can be continued after a reload. */
export interface KeptSendings {
  /** Returns the lists of a product. */
  list(productId: string): Promise<KeptSending[]>
  /** Returns the elements of a list, or `undefined` if it is not kept any more. */
  elements(id: string): Promise<readonly string[] | undefined>
  /** Keeps a new list. */
  add(sending: KeptSending, elements: readonly string[]): Promise<void>
  /** Keeps how far a list is. */
  update(sending: KeptSending): Promise<void>
  remove(id: string): Promise<void>
}

const prefix = 'sending '
const elementsKey = (id: string) => `elements ${id}`

/** Lists in the database of the browser. The functions reject if it has none, or no room. */
export const keptSendings: KeptSendings = {
  async list(productId) {
    const keys = await localKeys(prefix)
    const found = await Promise.all(keys.map((key) => readLocal<KeptSending>(key)))
    return found.filter((sending) => sending?.productId === productId) as KeptSending[]
  },
  async elements(id) {
    const text = await readLocal<string>(elementsKey(id))
    return text?.split('\n')
  },
  add: (sending, elements) =>
    // One text takes a fraction of the time and room of 100,000 values.
    writeLocal({ [prefix + sending.id]: sending, [elementsKey(sending.id)]: elements.join('\n') }),
  update: (sending) => writeLocal({ [prefix + sending.id]: sending }),
  remove: (id) => removeLocal(prefix + id, elementsKey(id)),
}
