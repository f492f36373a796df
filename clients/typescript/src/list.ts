import type { Answer } from './answer.ts'
import { PlayerNftsError } from './errors.ts'
import type { Operation } from './operation.ts'
import type { CallOptions, ClientOptions } from './options.ts'
import { send } from './send.ts'

/** A page of a list. Without `nextCursor` it is the last one. */
export type Page<T> = Answer<T[]>

/**
 * A list of any length. It sends nothing until it is read, and then one request for each page. A list can be
 * read several times; each time begins at the `cursor` of its parameters, or with the first entry.
 */
export interface List<T> extends AsyncIterable<T> {
  /** Reads one page: the first, or that of the parameter `cursor`. */
  page(): Promise<Page<T>>
  /** Reads page by page. A page can be empty and still have a `nextCursor`. */
  byPage(): AsyncIterableIterator<Page<T>>
  /** Reads the whole list into memory. */
  toArray(): Promise<T[]>
}

/** The list of an operation whose entries are of type `T`. */
export function list<T>(
  client: ClientOptions,
  operation: Operation,
  params: { cursor?: string | undefined },
  options: CallOptions | undefined,
): List<T> {
  const start = params.cursor
  const read = (cursor: string | undefined) =>
    send(client, operation, { ...params, cursor }, options) as Promise<Page<T>>
  async function* byPage() {
    let cursor = start
    // Brent's algorithm finds a cycle of any length with one cursor kept in memory.
    let kept = start
    for (let pages = 1, next = 1; ; pages++) {
      const page = await read(cursor)
      cursor = page.nextCursor
      if (cursor !== undefined && cursor === kept) throw endless(operation.id)
      yield page
      if (cursor === undefined) return
      if (pages === next) {
        kept = cursor
        next *= 2
      }
    }
  }
  async function* entries() {
    for await (const { data } of byPage()) yield* data
  }
  return {
    page: () => read(start),
    byPage,
    async toArray() {
      const all: T[] = []
      for await (const entry of entries()) all.push(entry)
      return all
    },
    [Symbol.asyncIterator]: entries,
  }
}

const endless = (operation: string) =>
  new PlayerNftsError({
    code: 'unexpected_answer',
    detail: 'A cursor has come again: the list would not end.',
    operation,
  })
