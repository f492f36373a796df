import { ApiError } from '../../../clients/typescript/src/errors.ts'
import type { DescribedNft } from '../../../clients/typescript/src/types.ts'
import { compareTokenIds } from './token-element.ts'

/** A page of NFTs as the client returns it. */
interface NftPage {
  data: readonly DescribedNft[]
  nextCursor?: string
}

/** Reads the page of a cursor, or the first page. */
type ReadNftPage = (cursor: string | undefined, signal: AbortSignal) => Promise<NftPage>

interface LoadedPage {
  cursor: string | undefined
  nfts: readonly DescribedNft[]
}

/** The part of a list that is loaded. */
interface NftPagesState {
  nfts: readonly DescribedNft[]
  isLoading: boolean
  /** Whether there are no further NFTs. */
  isComplete: boolean
  /** Whether the list began anew, because its cursor had expired. */
  hasRestarted: boolean
  /** Why the latest page could not be loaded. */
  error: unknown
}

const beginning: NftPagesState = {
  nfts: [],
  isLoading: false,
  isComplete: false,
  hasRestarted: false,
  error: undefined,
}

/** Loads a list of NFTs page by page, on request, so that a long list is never loaded as a whole. */
export class NftPages {
  readonly #read: ReadNftPage
  readonly #start: string | undefined
  readonly #onChange: () => void
  #pages: readonly LoadedPage[] = []
  #next: string | undefined
  #controller = new AbortController()

  /** The state; another object after each change. */
  state = beginning

  /** `start`: the cursor of the first page. `onChange` is called after each change of the state. */
  constructor(read: ReadNftPage, start: string | undefined, onChange: () => void) {
    this.#read = read
    this.#start = start
    this.#next = start
    this.#onChange = onChange
  }

  /** Loads the next page, unless one is being loaded, the list is complete, or the latest page has failed. */
  async loadMore(): Promise<void> {
    if (this.state.error === undefined) await this.retry()
  }

  /** Loads the next page, also after a failure. */
  async retry(): Promise<void> {
    if (this.state.isLoading || this.state.isComplete) return
    const { signal } = this.#controller
    const cursor = this.#next
    this.#set({ isLoading: true, error: undefined })
    try {
      const { data, nextCursor } = await this.#read(cursor, signal)
      if (signal.aborted) return
      this.#next = nextCursor
      this.#pages = [...this.#pages, { cursor, nfts: data }]
      this.#set({ isLoading: false, isComplete: nextCursor === undefined })
      // An empty page is not the last one as long as another follows (D60).
      if (data.length === 0) await this.loadMore()
    } catch (error) {
      if (signal.aborted) return
      if (!isExpired(error) || cursor === this.#start) this.#set({ isLoading: false, error })
      else await this.#restart()
    }
  }

  /** Begins anew. */
  async reload(): Promise<void> {
    this.close()
    this.#controller = new AbortController()
    this.#pages = []
    this.#next = this.#start
    this.state = beginning
    await this.retry()
  }

  /** Ends the calls that are under way. */
  close(): void {
    this.#controller.abort()
  }

  /** Removes NFTs from the list that is loaded. */
  remove(tokenIds: ReadonlySet<string>): void {
    this.#pages = this.#pages.map((page) => ({
      ...page,
      nfts: page.nfts.filter(({ tokenId }) => !tokenIds.has(tokenId)),
    }))
    this.#set({})
  }

  /** Loads those pages again that have one of these NFTs, and returns the NFTs of these pages. */
  async reread(tokenIds: ReadonlySet<string>, signal: AbortSignal): Promise<DescribedNft[]> {
    const pages = this.#pages.filter(({ nfts }) => nfts.some((nft) => tokenIds.has(nft.tokenId)))
    const read = await Promise.all(pages.map(({ cursor }) => this.#read(cursor, signal)))
    const byCursor = new Map(pages.map(({ cursor }, index) => [cursor, read[index]?.data ?? []]))
    this.#pages = this.#pages.map((page) => ({
      ...page,
      nfts: byCursor.get(page.cursor) ?? page.nfts,
    }))
    this.#set({})
    return [...byCursor.values()].flat()
  }

  async #restart(): Promise<void> {
    this.#pages = []
    this.#next = this.#start
    this.state = { ...beginning, hasRestarted: true }
    await this.retry()
  }

  #set(changes: Partial<NftPagesState>): void {
    const nfts = this.#pages.flatMap((page) => page.nfts)
    this.state = { ...this.state, nfts, ...changes }
    this.#onChange()
  }
}

const isExpired = (error: unknown): boolean =>
  error instanceof ApiError && error.code === 'cursor_expired'

/**
 * The cursor before a token identifier of a contract, in the form of D18, so that a list can begin in its middle:
 * `undefined` for the beginning of the contract.
 */
export function cursorBefore(chain: string, address: string, tokenId: string): string | undefined {
  if (compareTokenIds(tokenId, '0') === 0) return undefined
  const before = BigInt(tokenId) - 1n
  const text = `${chain}/${address}/${before}`
  return btoa(text).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '')
}
