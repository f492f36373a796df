import { confirmation, listedKey, listedKeys, newKey, productInformation } from './answers.ts'
import { keyCreation, keyRotation, productChanges, productDeletion } from './requests.ts'
import type { Route } from './route.ts'

/** The beginning of every path of the API. */
export const base = '/api/public/v1'

/** The rows of the route table about a product itself and its API keys (D45, D46). */
export const productRoutes = {
  updateProduct: {
    section: 'D45',
    method: 'PATCH',
    paths: [`${base}/product`],
    auth: 'PRODUCT',
    scope: 'MANAGE',
    body: productChanges,
    answer: productInformation,
    problems: ['service_unavailable'],
  },
  deleteProduct: {
    section: 'D45',
    method: 'DELETE',
    paths: [`${base}/product`],
    auth: 'PRODUCT',
    scope: 'MANAGE',
    query: productDeletion,
    answer: confirmation,
    problems: ['service_unavailable'],
  },
  createKey: {
    section: 'D46',
    method: 'POST',
    paths: [`${base}/product/keys`],
    auth: 'PRODUCT',
    scope: 'MANAGE',
    limits: ['new_keys'],
    body: keyCreation,
    answer: newKey,
    problems: ['too_many_keys', 'service_unavailable'],
  },
  listKeys: {
    section: 'D46',
    method: 'GET',
    paths: [`${base}/product/keys`],
    auth: 'PRODUCT',
    scope: 'MANAGE',
    answer: listedKeys,
    problems: ['service_unavailable'],
  },
  rotateKey: {
    section: 'D46',
    method: 'POST',
    paths: [`${base}/product/keys/{keyId}/rotate`],
    auth: 'PRODUCT',
    scope: 'MANAGE',
    limits: ['new_keys'],
    pathParameters: ['keyId'],
    body: keyRotation,
    isBodyOptional: true,
    answer: newKey,
    problems: ['key_not_found', 'key_ended', 'last_key', 'too_many_keys', 'service_unavailable'],
  },
  endKey: {
    section: 'D46',
    method: 'DELETE',
    paths: [`${base}/product/keys/{keyId}`],
    auth: 'PRODUCT',
    scope: 'MANAGE',
    pathParameters: ['keyId'],
    answer: listedKey,
    problems: ['key_not_found', 'key_ended', 'last_key', 'service_unavailable'],
  },
} as const satisfies Record<string, Route>
