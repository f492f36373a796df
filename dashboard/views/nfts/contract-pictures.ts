import { useEffect, useMemo, useState } from 'preact/hooks'
import { ApiError } from '../../../clients/typescript/src/errors.ts'
import type {
  ConnectedContract,
  DailyUsage,
  Product,
} from '../../../clients/typescript/src/types.ts'
import { pictureSource } from '../../components/picture-source.ts'
import { storagePrefix } from '../../shell/session.ts'
import { useClient, useProduct, useShell } from '../../shell/shell-context.ts'

type ContractKey = Pick<ConnectedContract, 'chain' | 'address'>

/** Returns the URLs of the pictures of a contract that load without a question. */
type ReadPictures = (contract: ContractKey, signal: AbortSignal) => Promise<readonly string[]>

/** The pictures that are known in this tab. */
interface Known {
  /** The day, in UTC, on which a limit refused a call for pictures. */
  refusedOn?: string
  /** The pictures of each contract, and the day on which they were read. */
  contracts: Record<string, { day: string; pictures: readonly string[] }>
}

/** The contracts whose pictures are read at the same time. */
const atOnce = 2

/** The length up to which the URL of a picture is kept. Many pictures inside metadata would fill the storage of the tab. */
const maxLength = 20_000

const storedName = `${storagePrefix}pictures`

const keyOf = ({ chain, address }: ContractKey): string => `${chain}/${address}`

const today = (): string => new Date().toISOString().slice(0, 10)

/**
 * The pictures of the first NFTs of contracts: read once a day for each contract that is in view, two contracts at a time,
 * and kept in the session. None is read on a day on which a limit has refused such a call.
 */
export class ContractPictures {
  readonly #read: ReadPictures
  readonly #storage: Storage
  readonly #onChange: () => void
  readonly #controller = new AbortController()
  readonly #known: Known
  readonly #waiting = new Map<string, ContractKey>()
  readonly #begun = new Set<string>()
  #running = 0

  constructor(read: ReadPictures, storage: Storage, onChange: () => void) {
    this.#read = read
    this.#storage = storage
    this.#onChange = onChange
    this.#known = JSON.parse(storage.getItem(storedName) ?? '{"contracts":{}}') as Known
  }

  urls(contract: ContractKey): readonly string[] {
    return this.#known.contracts[keyOf(contract)]?.pictures ?? []
  }

  /** Ends the calls that are under way: nothing is kept after the end of a session. */
  close(): void {
    this.#controller.abort()
  }

  /** Says that a contract is in view. Returns a function that says that it is not any more. */
  show(contract: ContractKey): () => void {
    const key = keyOf(contract)
    const isRead = this.#known.contracts[key]?.day === today()
    if (!isRead && !this.#begun.has(key)) this.#waiting.set(key, contract)
    this.#readNext()
    return () => this.#waiting.delete(key)
  }

  #readNext(): void {
    for (const [key, contract] of this.#waiting) {
      const isOver = this.#controller.signal.aborted || this.#known.refusedOn === today()
      if (isOver || this.#running >= atOnce) return
      this.#waiting.delete(key)
      this.#begun.add(key)
      this.#running += 1
      void this.#readOne(key, contract).finally(() => {
        this.#running -= 1
        this.#readNext()
      })
    }
  }

  async #readOne(key: string, contract: ContractKey): Promise<void> {
    const day = today()
    const { signal } = this.#controller
    try {
      const read = await this.#read(contract, signal)
      if (signal.aborted) return
      // The NFTs of a contract can have the same picture.
      const pictures = [...new Set(read)].filter(({ length }) => length <= maxLength)
      this.#known.contracts[key] = { day, pictures }
    } catch (error) {
      // After another failure, the contract is without pictures until the page is shown again.
      if (!(error instanceof ApiError) || error.code !== 'rate_limited') return
      this.#known.refusedOn = day
    }
    this.#keep()
    this.#onChange()
  }

  #keep(): void {
    try {
      this.#storage.setItem(storedName, JSON.stringify(this.#known))
    } catch {
      // Without room in the storage, the pictures last as long as the page.
    }
  }
}

/**
 * Whether the product is known to have a tenth of its indexer calls of today left: pictures take none that players
 * need.
 */
export function hasCallsToSpare(
  product: Product | undefined,
  usage: readonly DailyUsage[] | undefined,
): boolean {
  const limit = product?.limits?.find(({ name }) => name === 'indexer_calls_by_day')
  if (!limit) return product !== undefined
  return usage !== undefined && (usage[0]?.indexerCalls ?? 0) <= limit.count * 0.9
}

const count = 3

/** The pictures of contracts, and whether more may be read. */
export interface ShownPictures {
  pictures: ContractPictures
  mayRead: boolean
}

/**
 * Returns the pictures of contracts, and renders again after changes. Pictures that would need a question (D62, D79) are left
 * out.
 */
export function useContractPictures(usage: readonly DailyUsage[] | undefined): ShownPictures {
  const client = useClient()
  const { config } = useShell()
  const { data: product } = useProduct()
  const [, render] = useState(0)
  const pictures = useMemo(() => {
    const read = async ({ chain, address }: ContractKey, signal: AbortSignal) => {
      const query = { chain, contractAddress: address, limit: count }
      const { data } = await client.getNfts(query, { signal, maxRetries: 0 }).page()
      return data.flatMap(({ formattedMetadata: { image } }) => {
        const source = pictureSource(image, config, location.origin)
        return source.kind === 'loads' ? source.url : []
      })
    }
    return new ContractPictures(read, sessionStorage, () => render((renders) => renders + 1))
  }, [client, config])
  useEffect(() => () => pictures.close(), [pictures])
  return { pictures, mayRead: hasCallsToSpare(product, usage) }
}

/** Returns the pictures of a contract, which are read while it is in view. */
export function usePicturesOf(
  { pictures, mayRead }: ShownPictures,
  { chain, address }: ContractKey,
): readonly string[] {
  useEffect(
    () => (mayRead ? pictures.show({ chain, address }) : undefined),
    [pictures, mayRead, chain, address],
  )
  return pictures.urls({ chain, address })
}
