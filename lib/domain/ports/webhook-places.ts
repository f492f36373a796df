import type { ProductId } from '../product/product.ts'

/** A place among the deliveries to slow servers (D143). Times are in milliseconds since 1970. */
export interface Place {
  productId: ProductId
  /** The webhook, or the test, that has it. */
  holder: string
  begin: number
  /** Then it is another's, whether or not its holder lives. */
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
