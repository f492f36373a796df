/** An error as the dashboard shows it. */
interface ErrorDescription {
  /** One sentence that says what has happened. */
  title: string
  /** What the API says about it. */
  detail?: string
  /** The stable code of the problem. */
  code?: string
  requestId?: string
  /** Whether a change can have been made although the call has failed. */
  mayHaveTakenEffect: boolean
  /** The time to wait before the next attempt; 0 if there is none. */
  retryAfterSeconds: number
  /** What is wrong with the fields of the request, by their names. */
  fields: Readonly<Record<string, string>>
}

/** The properties that the errors of the client have (see clients/typescript). */
interface ClientErrorFacts {
  name?: unknown
  status?: unknown
  code?: unknown
  detail?: unknown
  message?: unknown
  requestId?: unknown
  retryAfterSeconds?: unknown
  mayHaveTakenEffect?: unknown
  errors?: unknown
}

/** Describes any error that a call or the dashboard itself has thrown. */
export function describeError(error: unknown): ErrorDescription {
  const facts: ClientErrorFacts = typeof error === 'object' && error !== null ? error : {}
  const status = typeof facts.status === 'number' ? facts.status : undefined
  const code = textOf(facts.code)
  const detail = textOf(facts.detail) ?? textOf(facts.message)
  const requestId = textOf(facts.requestId)
  return {
    title: titleOf(status, code, facts),
    ...(detail && { detail }),
    ...(status !== undefined && code && { code }),
    ...(requestId && { requestId }),
    mayHaveTakenEffect: facts.mayHaveTakenEffect === true,
    retryAfterSeconds: Number(facts.retryAfterSeconds) || 0,
    fields: fieldsOf(facts.errors),
  }
}

const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined

/** What the most frequent problems mean here, and what to do. The detail of the API follows. */
const titles: Readonly<Record<string, string>> = {
  insufficient_scope: 'This API key can only read the NFTs of players.',
  product_stopped: 'The operator of the service has stopped this product.',
  last_key: 'A product needs at least one key that can manage it.',
  cursor_expired: 'The list has changed in the meantime: load it again.',
}

function titleOf(
  status: number | undefined,
  code: string | undefined,
  { name }: ClientErrorFacts,
): string {
  const known = code === undefined ? undefined : titles[code]
  if (known) return known
  if (status === 400) return 'Some of the values cannot be accepted.'
  if (status === 401) return 'The API key is not accepted.'
  if (status === 429) return 'Too many requests for now.'
  if (status !== undefined && status >= 500) {
    return 'The service cannot answer at the moment.'
  }
  if (status !== undefined) return 'The service has refused this.'
  if (name === 'TimeoutError') return 'The service has not answered in time.'
  if (name === 'ConnectionError' || name === 'TypeError') return 'The service cannot be reached.'
  return 'Something went wrong.'
}

function fieldsOf(errors: unknown): Record<string, string> {
  const fields: Record<string, string> = {}
  for (const entry of Array.isArray(errors) ? errors : []) {
    const { path, message } = entry as { path?: unknown; message?: unknown }
    if (typeof path === 'string' && typeof message === 'string') fields[path] ??= message
  }
  return fields
}
