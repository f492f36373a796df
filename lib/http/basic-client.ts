import { type ProductId, parseProductId } from '../domain/product/product.ts'
import { RefusedClient } from '../domain/sign-in/failures.ts'

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
