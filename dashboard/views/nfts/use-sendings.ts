import { useEffect, useState } from 'preact/hooks'
import { useChanges } from '../../shell/changes.ts'
import { useClient, useProduct } from '../../shell/shell-context.ts'
import type { SendingTask } from './sending.ts'
import { sendings } from './sendings.ts'

/** Returns the lists of the product that are being sent or can be continued, and renders again while they are sent. */
export function useSendings() {
  const productId = useProduct().data?.productId
  useChanges(sendings)
  useEffect(() => {
    if (productId !== undefined) void sendings.restore(productId)
  }, [productId])
  return productId === undefined ? [] : sendings.list(productId)
}

/**
 * Sends lists for a form, which stays until the first request has succeeded, so that it can show what is wrong with its fields.
 * `sending` is the list in the meantime.
 */
export function useFirstRequest() {
  const client = useClient()
  const { data: product } = useProduct()
  const [id, setId] = useState<string>()
  useChanges(sendings)
  return {
    sending: id === undefined ? undefined : sendings.get(id),
    /**
     * Begins to send a list, and returns whether its first request has succeeded: it has not if the user has stopped it, or has left
     * the form. The product is read from the API if the page does not know it yet.
     */
    async send(
      task: Omit<SendingTask, 'productId'>,
      elements: readonly string[],
      signal: AbortSignal,
    ): Promise<boolean> {
      const { productId } = product ?? (await client.getProduct())
      const started = sendings.start({ ...task, productId }, elements, client)
      setId(started)
      try {
        return await sendings.hasBegun(started, signal)
      } finally {
        setId(undefined)
      }
    },
  }
}
