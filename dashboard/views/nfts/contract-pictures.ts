import { useCallback, useEffect, useMemo } from 'preact/hooks'
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
export type ReadPictures = (
  contract: ContractKey,
  signal: AbortSignal,
) => Promise<readonly string[]>

/** The pictures that are known in this tab. */
interface Known {
  /** The day, in UTC, on which a limit refused a call for pictures. */
  refusedOn?: string
  /** The pictures of each contract, and the day on which they were read. */
  contracts: Record<string, { day: string; pictures: readonly string[] }>
}

/** The length up to which the URL of a picture is kept. Many pictures inside metadata would fill the storage of the tab. */
const maxLength = 20_000

const storedName = `${storagePrefix}pictures`

const keyOf = ({ chain, address }: ContractKey): string => `${chain}/${address}`

const today = (): string => new Date().toISOString().slice(0, 10)

/**
 * Returns a function that returns the pictures of the first NFTs of a contract, kept in the session. They are read once a day, of
 * two contracts at a time, unless `mayRead` is false, a limit has refused such a call on this day, or the signal is aborted before
 * their turn. It rejects if reading fails otherwise, and the contract is then not read again. `ofPage` ends the calls that are
 * under way.
 */
export function contractPictures(read: ReadPictures, storage: Storage, ofPage: AbortSignal) {
  const known = JSON.parse(storage.getItem(storedName) ?? '{"contracts":{}}') as Known
  const failed = new Set<string>()
  const turns: Promise<unknown>[] = [Promise.resolve(), Promise.resolve()]
  const isOver = (key: string) =>
    failed.has(key) || [known.refusedOn, known.contracts[key]?.day].includes(today())
  const readNow = async (contract: ContractKey) => {
    const day = today()
    try {
      const found = await read(contract, ofPage)
      // The NFTs of a contract can have the same picture.
      const pictures = [...new Set(found)].filter(({ length }) => length <= maxLength)
      // Nothing is kept after the end of a session.
      if (ofPage.aborted) return
      known.contracts[keyOf(contract)] = { day, pictures }
    } catch (error) {
      if (!(error instanceof ApiError) || error.code !== 'rate_limited') {
        failed.add(keyOf(contract))
        throw error
      }
      known.refusedOn = day
    }
    try {
      storage.setItem(storedName, JSON.stringify(known))
    } catch {
      // Without room in the storage, the pictures last as long as the page.
    }
  }
  const readInTurn = async (turn: unknown, contract: ContractKey, signal: AbortSignal) => {
    await turn
    if (!signal.aborted && !isOver(keyOf(contract))) await readNow(contract)
  }
  return async (contract: ContractKey, mayRead: boolean, signal: AbortSignal) => {
    const key = keyOf(contract)
    if (mayRead && !isOver(key)) {
      const reading = readInTurn(turns.shift(), contract, signal)
      turns.push(reading.catch(() => undefined))
      await reading
    }
    return known.contracts[key]?.pictures ?? []
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

/**
 * Returns a function that returns the pictures of a contract. Pictures that would need a question (D62, D79) are left out.
 */
export function useContractPictures(usage: readonly DailyUsage[] | undefined): ReadPictures {
  const client = useClient()
  const { config } = useShell()
  const { data: product } = useProduct()
  const [pictures, page] = useMemo(() => {
    const controller = new AbortController()
    const read = async ({ chain, address }: ContractKey, signal: AbortSignal) => {
      const query = { chain, contractAddress: address, limit: count }
      const { data } = await client.getNfts(query, { signal, maxRetries: 0 }).page()
      return data.flatMap(({ formattedMetadata: { image } }) => {
        const source = pictureSource(image, config, location.origin)
        return source.kind === 'loads' ? source.url : []
      })
    }
    return [contractPictures(read, sessionStorage, controller.signal), controller] as const
  }, [client, config])
  // A row that leaves the view ends no call: the call would be counted, and its result lost.
  useEffect(() => () => page.abort(), [page])
  const mayRead = hasCallsToSpare(product, usage)
  return useCallback((contract, signal) => pictures(contract, mayRead, signal), [pictures, mayRead])
}
