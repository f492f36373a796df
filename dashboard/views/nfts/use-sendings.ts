import { useEffect, useRef, useState } from 'preact/hooks'
import { describeError } from '../../shell/describe-error.ts'
import { useClient, useProduct } from '../../shell/shell-context.ts'
import type { Sending, SendingTask } from './sending.ts'
import { sendings } from './sendings.ts'

/** The lists of the product that are being sent or can be continued. */
export interface ProductSendings {
  /** The product of the API key; `undefined` until it is known. */
  productId: string | undefined
  list: readonly Sending[]
  /** How many NFTs of a contract are at least on its allowlist, as far as this tab knows. */
  knownOf(contract: { chain: string; address: string }): number
}

/** Returns the lists of the product, and renders again while they are sent. */
export function useSendings(): ProductSendings {
  const productId = useProduct().data?.productId
  const [, render] = useState(0)
  useEffect(() => sendings.subscribe(() => render((count) => count + 1)), [])
  useEffect(() => {
    if (productId !== undefined) void sendings.restore(productId)
  }, [productId])
  if (productId === undefined) return { productId, list: [], knownOf: () => 0 }
  return {
    productId,
    list: sendings.list(productId),
    knownOf: (contract) => sendings.known.of({ ...contract, productId }),
  }
}

/** The first request of a list that a form sends. */
interface FirstRequest {
  /** Begins. `productId` is read from the API if the page does not know it yet. */
  start(
    task: Omit<SendingTask, 'productId'>,
    elements: readonly string[],
    productId: string | undefined,
  ): Promise<void>
  /** Whether the product is being read. */
  isStarting: boolean
  /** The list while its first request is under way. */
  sending: Sending | undefined
  /** Why the first request has failed. Nothing of the list was sent then. */
  error: unknown
  /** What the API says about the fields of the form. */
  fields: Readonly<Record<string, string>>
}

/**
 * Sends a list for a form. The form stays until the first request has succeeded, so that it can show what is wrong with
 * its fields. Then `onSent` is called, and the list goes on without the form.
 */
export function useFirstRequest(onSent: (sending: Sending) => void): FirstRequest {
  const client = useClient()
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
    async start(task, elements, productId) {
      if (id.current !== undefined || isStarting) return
      setError(undefined)
      setIsStarting(true)
      try {
        const product = productId ?? (await client.getProduct()).productId
        id.current = sendings.start({ ...task, productId: product }, elements, client)
      } catch (cause) {
        setError(cause)
      } finally {
        setIsStarting(false)
      }
    },
    isStarting,
    sending: id.current === undefined ? undefined : sendings.get(id.current),
    error,
    fields: error === undefined ? {} : formFields(describeError(error).fields),
  }
}

/** The messages by the fields of the form: those about single elements belong to the list. */
function formFields(fields: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(fields).map(([path, message]) => [path.split('.')[0] as string, message]),
  )
}
