import type { SendingTask } from './sending.ts'
import { isRange } from './token-element.ts'

type ContractOfProduct = Pick<SendingTask, 'productId' | 'chain' | 'address'>

/**
 * How many NFTs are at least on the allowlist of a contract, as far as this tab knows: those of a list that it has sent, less
 * all that it has removed since.
 */
export class KnownNfts {
  readonly #lists = new Map<string, { contract: string; count: number }>()

  /** Notes that a part of the list with this id was added. */
  added(id: string, contract: ContractOfProduct, part: readonly string[]): void {
    const list = this.#lists.get(id) ?? { contract: keyOf(contract), count: 0 }
    list.count += part.filter((element) => !isRange(element)).length
    this.#lists.set(id, list)
  }

  /** Notes that elements are being removed; without them, all of the contract. */
  removed(contract: ContractOfProduct, elements?: readonly string[]): void {
    const isCounted = elements && !elements.some((element) => isRange(element))
    const count = isCounted ? elements.length : Number.POSITIVE_INFINITY
    for (const list of this.#lists.values()) {
      if (list.contract === keyOf(contract)) list.count -= count
    }
  }

  /** The most that is known of a contract: two lists can have the same NFTs, so they are not added up. */
  count(contract: ContractOfProduct): number {
    const counts = [...this.#lists.values()]
      .filter((list) => list.contract === keyOf(contract))
      .map(({ count }) => count)
    return Math.max(0, ...counts)
  }

  clear(): void {
    this.#lists.clear()
  }
}

const keyOf = ({ productId, chain, address }: ContractOfProduct): string =>
  `${productId} ${chain} ${address.toLowerCase()}`
