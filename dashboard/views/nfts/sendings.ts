import type { PlayerNfts } from '../../../clients/typescript/src/client.ts'
import { newChanges } from '../../shell/changes.ts'
import { DashboardError } from '../../shell/describe-error.ts'
import { beforeClearing } from '../../shell/local-database.ts'
import { describeElements } from './removed-ranges.ts'
import { sendList } from './send-list.ts'
import { type KeptSending, keptSendings, type Sending, type SendingTask } from './sending.ts'

interface Entry {
  sending: Sending
  /** Absent for a list that a reload has stopped, or that was sent to its end. */
  elements?: readonly string[] | undefined
  controller?: AbortController
}

/**
 * The lists that are being sent or were stopped. They belong to the tab, not to a view: a list is sent on while the
 * user looks at other pages.
 */
class Sendings {
  readonly #entries = new Map<string, Entry>()
  readonly #changes = newChanges()
  readonly subscribe = this.#changes.subscribe

  list(productId: string): Sending[] {
    const all = [...this.#entries.values()].map(({ sending }) => sending)
    return all.filter((sending) => sending.productId === productId)
  }

  get(id: string): Sending | undefined {
    return this.#entries.get(id)?.sending
  }

  /** Finds the lists of a product that were not sent to their end before the page was loaded. */
  async restore(productId: string): Promise<void> {
    // Without a database there is nothing to find.
    const found = await keptSendings.list(productId).catch(() => [])
    for (const sending of found) {
      if (this.#entries.has(sending.id)) continue
      const stopped = { ...sending, status: 'stopped', isKept: true } as const
      this.#entries.set(sending.id, { sending: stopped })
    }
    if (found.length > 0) this.#changes.changed()
  }

  start(task: SendingTask, elements: readonly string[], client: PlayerNfts): string {
    const id = `${Date.now()}-${Math.random().toString(36).slice(2)}`
    const counts = { total: elements.length, position: 0, removed: 0 }
    const kept: KeptSending = { ...task, id, what: describeElements(elements), ...counts }
    const sending = { ...kept, status: 'sending', isKept: false } as const
    this.#entries.set(id, { sending, elements, controller: new AbortController() })
    const keeping = keptSendings.add(kept, elements).then(() => this.#set(id, { isKept: true }))
    // Without a database, or room in it, the list lasts as long as the page.
    void keeping.catch(() => undefined).then(() => this.#run(id, client))
    return id
  }

  /**
   * Waits for the end of the first request of a list, for the form that has the list, as long as `signal` is not aborted. Returns whether
   * it has succeeded, which it has not after a stop; rejects with its failure. The list is then discarded.
   */
  async hasBegun(id: string, signal: AbortSignal): Promise<boolean> {
    for (;;) {
      const sending = this.get(id)
      if (!sending || signal.aborted) return false
      if (sending.position > 0 || sending.status === 'done') return true
      if (sending.status !== 'sending') {
        await this.discard(id)
        if (sending.status === 'failed') throw sending.error
        return false
      }
      await new Promise<void>((resolve) => {
        const stop = this.subscribe(() => {
          stop()
          resolve()
        })
      })
    }
  }

  /** Stops a list. The request under way may still take effect. */
  stop(id: string): void {
    this.#entries.get(id)?.controller?.abort(new Error('stopped'))
  }

  /** Goes on with a list that was stopped or has failed. */
  async resume(id: string, client: PlayerNfts): Promise<void> {
    const entry = this.#entries.get(id)
    if (!entry || entry.sending.status === 'sending') return
    entry.controller = new AbortController()
    this.#set(id, { status: 'sending', error: undefined })
    if (!entry.elements) {
      const read = await keptSendings.read(id).catch(() => undefined)
      // Another tab can have sent a part of it since.
      if (read) this.#set(id, read.kept)
      entry.elements = read?.elements
    }
    if (entry.elements) await this.#run(id, client)
    // Another tab has sent it to its end, or the user has signed out there.
    else await this.discard(id)
  }

  /** Removes a list from the page and from the browser. What was sent stays. */
  async discard(id: string): Promise<void> {
    this.stop(id)
    this.#forget(id)
    await keptSendings.remove(id).catch(() => undefined)
  }

  /** Stops all lists, and removes them from the page. */
  clear(): void {
    for (const id of [...this.#entries.keys()]) {
      this.stop(id)
      this.#forget(id)
    }
  }

  async #run(id: string, client: PlayerNfts): Promise<void> {
    const entry = this.#entries.get(id)
    if (!entry?.controller) return
    const { elements = [], controller } = entry
    const { signal } = controller
    const options = {
      signal,
      onSent: (position: number, removed: number) => {
        this.#set(id, { position, removed })
        const now = this.get(id)
        if (now?.isKept) keptSendings.update(keptPart(now)).catch(() => undefined)
      },
      onWait: (wait: Sending['wait']) => this.#set(id, { wait }),
    }
    try {
      await inOneTab(id, () => sendList(entry.sending, elements, client, options))
      this.#set(id, { status: 'done', wait: undefined })
      delete entry.elements
      await keptSendings.remove(id).catch(() => undefined)
    } catch (error) {
      const stopped = signal.aborted
      this.#set(id, {
        status: stopped ? 'stopped' : 'failed',
        wait: undefined,
        error: stopped ? undefined : error,
      })
    } finally {
      delete entry.controller
    }
  }

  #set(id: string, changes: Partial<Sending>): void {
    const entry = this.#entries.get(id)
    if (!entry) return
    entry.sending = { ...entry.sending, ...changes }
    this.#changes.changed()
  }

  #forget(id: string): void {
    this.#entries.delete(id)
    this.#changes.changed()
  }
}

/** Runs `send` unless another tab sends the same list. */
const inOneTab = (id: string, send: () => Promise<void>): Promise<void> =>
  navigator.locks.request(`player-nfts ${id}`, { ifAvailable: true }, async (lock) => {
    if (lock) return await send()
    const title = 'Another tab of this browser is sending this list.'
    throw new DashboardError(title, 'Go on in that tab.')
  })

function keptPart({ status, wait, error, isKept, ...kept }: Sending): KeptSending {
  return kept
}

export const sendings = new Sendings()

// They go on while the user looks at other pages, but not after the user has signed out.
beforeClearing(() => sendings.clear())
