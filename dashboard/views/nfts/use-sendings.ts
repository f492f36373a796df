import { useEffect, useRef, useState } from 'preact/hooks'
import { describeError } from '../../shell/describe-error.ts'
import { useClient, useProduct } from '../../shell/shell-context.ts'
import type { Sending, SendingTask } from './sending.ts'
import { sendings } from './sendings.ts'

export type ProductSendings = ReturnType<typeof useSendings>

/**
 * Returns the lists of the product that are being sent or can be continued, and renders again while they are sent. `productId` is
 * `undefined` until it is known.
 */
export function useSendings() {
  const productId = useProduct().data?.productId
  const [, render] = useState(0)
  useEffect(() => sendings.subscribe(() => render((count) => count + 1)), [])
  useEffect(() => {
    if (productId !== undefined) void sendings.restore(productId)
  }, [productId])
  return {
    productId,
    list: productId === undefined ? [] : sendings.list(productId),
    /** How many NFTs of a contract are at least on its allowlist, as far as this tab knows. */
    knownOf: (contract: { chain: string; address: string }) =>
      productId === undefined ? 0 : sendings.known.count({ ...contract, productId }),
  }
}

/**
 * Sends a list for a form. The form stays until the first request has succeeded, so that it can show what is wrong with
 * its fields. Then `onSent` is called, and the list goes on without the form.
 */
export function useFirstRequest(onSent: (sending: Sending) => void) {
  const client = useClient()
  const { data: product } = useProduct()
  const id = useRef<string>(undefined)
  const [error, setError] = useState<unknown>()
  const [isStarting, setIsStarting] = useState(false)
  const [, render] = useState(0)
  const follow = useRef<() => void>(undefined)
  follow.current = () => {
    const sending = id.current === undefined ? undefined : sendings.get(id.current)
    render((count) => count + 1)
    if (!sending) return
    if (sending.position > 0 || sending.status === 'done') {
      id.current = undefined
      onSent(sending)
    } else if (sending.status !== 'sending') {
      id.current = undefined
      setError(sending.error)
      // The form has the list.
      void sendings.discard(sending.id)
    }
  }
  useEffect(() => sendings.subscribe(() => follow.current?.()), [])
  return {
    /** Begins. The product is read from the API if the page does not know it yet. */
    async start(task: Omit<SendingTask, 'productId'>, elements: readonly string[]): Promise<void> {
      if (id.current !== undefined || isStarting) return
      setError(undefined)
      setIsStarting(true)
      try {
        const { productId } = product ?? (await client.getProduct())
        id.current = sendings.start({ ...task, productId }, elements, client)
      } catch (cause) {
        setError(cause)
      } finally {
        setIsStarting(false)
      }
    },
    /** Whether the product is being read. */
    isStarting,
    /** The list while its first request is under way. */
    sending: id.current === undefined ? undefined : sendings.get(id.current),
    /** Why the first request has failed. Nothing of the list was sent then. */
    error,
    /** What the API says about the fields of the form. */
    fields: error === undefined ? {} : formFields(describeError(error).fields),
  }
}

/** The messages by the fields of the form: those about single elements belong to the list. */
function formFields(fields: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(fields).map(([path, message]) => [path.split('.')[0] as string, message]),
  )
}
