import { useEffect, useRef, useState } from 'preact/hooks'
import { useClient } from '../../shell/client.ts'
import { describeError } from '../../shell/describe-error.ts'
import type { Sending, SendingTask } from './sending.ts'
import { sendings } from './sendings.ts'

/** The first request of a list that a form sends. */
export interface FirstRequest {
  start(task: SendingTask, elements: readonly string[]): void
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
    start(task, elements) {
      if (id.current !== undefined) return
      setError(undefined)
      id.current = sendings.start(task, elements, client)
      render((count) => count + 1)
    },
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
