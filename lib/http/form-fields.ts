import type { APIGatewayProxyEventV2 } from 'aws-lambda'
import { formExpected } from '../contract/oauth-error.ts'
import type { Fields } from '../contract/route.ts'
import { type ProductId, parseProductId } from '../domain/product/product.ts'
import { RefusedClient } from '../domain/sign-in/failures.ts'
import { Problem } from './problem.ts'
import { bodyBytes, type ReadFields, sentRepeatedly } from './read-fields.ts'

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

/**
 * The client of a form of OAuth: that of the form, or the user of Basic with an empty password (RFC 6749, section 2.3.1). A Basic
 * whose user is no product is that of a proxy, and is ignored. Throws RefusedClient for a Basic with a password, or with another
 * product than the form.
 */
export function clientOf(
  authorization: string | undefined,
  inForm: string | undefined,
): string | undefined {
  const { productId, password } = basicOf(authorization)
  if (!productId) return inForm
  if (password !== '') throw new RefusedClient('client_password')
  if (inForm !== undefined && parseProductId(inForm) !== productId) {
    throw new RefusedClient('another_client')
  }
  return productId
}

function basicOf(authorization = ''): { productId?: ProductId | undefined; password?: string } {
  const [, base64 = ''] = /^Basic +([\w+/-]+=*) *$/i.exec(authorization) ?? []
  const [, user = '', password = ''] =
    /^([^:]*):(.*)$/s.exec(Buffer.from(base64, 'base64').toString()) ?? []
  return { productId: parseProductId(formDecoded(user)), password }
}

/** Clients encode the user as a value of a form, and some of them every character that is no letter or digit. */
const formDecoded = (text: string): string =>
  new URLSearchParams(`user=${text.replaceAll('&', '%26')}`).get('user') ?? ''
