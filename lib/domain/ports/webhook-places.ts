import type { ProductId } from '../product/product.ts'

/** A place among the deliveries to slow servers, or who waits for one, in the order of asking (D143). */
export interface Place {
  productId: ProductId
  /** The webhook that has it or waits for it. */
  holder: string
  isWaiting?: boolean
  /** Then it is another's, whether or not its holder lives, in milliseconds since 1970. */
  end: number
}

/** The places of the deployment. */
export interface WebhookPlaces {
  /**
   * Decides by the places of now, and replaces them if the decision has `places`: no two changes decide by the same ones. Returns the decision.
   * Throws ServiceUnavailable if others change them over and over.
   */
  change<Decision extends { places?: readonly Place[] }>(
    decide: (places: readonly Place[]) => Decision,
  ): Promise<Decision>
}
