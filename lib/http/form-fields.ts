import type { APIGatewayProxyEventV2 } from 'aws-lambda'
import { formExpected } from '../contract/oauth-error.ts'
import type { Fields } from '../contract/route.ts'
import { clientOf } from './basic-client.ts'
import { bodyBytes } from './body-bytes.ts'
import { Problem } from './problem.ts'
import { type ReadFields, sentRepeatedly } from './read-fields.ts'

/**
 * Returns a function that takes the fields of a schema from the form in the body (RFC 6749, section 3.2): a field without a value
 * is absent, and one that was sent twice is a fault. The client can also be in the header Authorization (D141). Throws a Problem for a
 * body that is declared as something else, and RefusedClient.
 */
export function formReader(fields: Fields): (event: APIGatewayProxyEventV2) => ReadFields {
  const names = Object.keys(fields.entries)
  return (event) => {
    const form = formOf(event)
    const read: ReadFields = { input: {}, faults: new Map() }
    for (const name of names) {
      const [value, ...others] = form.getAll(name)
      if (value) read.input[name] = value
      if (others.length > 0) {
        read.faults.set(name, sentRepeatedly('body', name, others.length + 1))
      }
    }
    const client = clientOf(event.headers['authorization'], form.get('client_id') || undefined)
    if (client !== undefined) read.input['client_id'] = client
    return read
  }
}

function formOf(event: APIGatewayProxyEventV2): URLSearchParams {
  const contentType = event.headers['content-type']?.trim()
  if (contentType && !/^application\/x-www-form-urlencoded *(;|$)/i.test(contentType)) {
    throw new Problem('unsupported_media_type', formExpected.detail)
  }
  return new URLSearchParams(bodyBytes(event).toString())
}
