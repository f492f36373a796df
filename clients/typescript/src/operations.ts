/** A credential that an operation can take. */
export type Credential = 'apiKey' | 'playerToken' | 'userJwt'

/** How the client sends an operation. */
export interface Operation {
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  /** The path of the operation, with `{name}` where a parameter belongs. */
  path: string
  credentials: readonly Credential[]
  /**
   * `reads`: changes nothing. `repeatable`: a second request leaves what one request leaves. `once`: a
   * second request makes a second product or key.
   */
  effect: 'reads' | 'repeatable' | 'once'
  /** Whether the response is the document itself, without `data`. */
  bare?: true
  /** Whether the answer can be remembered, so that the request says which age is accepted. */
  remembered?: true
}

const base = '/api/public/v1'
const apiKey = ['apiKey'] as const
const keyAndPlayer = ['apiKey', 'playerToken'] as const
const read = { method: 'GET', effect: 'reads' } as const
const productRead = { ...read, credentials: apiKey } as const
const remembered = { ...read, remembered: true } as const

/** Every operation of the API, by its `operationId` in the OpenAPI document. */
export const operations = {
  registerProduct: { method: 'POST', path: `${base}/product`, credentials: [], effect: 'once' },
  getProduct: { ...productRead, path: `${base}/product` },
  updateProduct: change('PATCH', `${base}/product`),
  deleteProduct: change('DELETE', `${base}/product`),
  createKey: { ...change('POST', `${base}/product/keys`), effect: 'once' },
  listKeys: { ...productRead, path: `${base}/product/keys` },
  rotateKey: { ...change('POST', `${base}/product/keys/{keyId}/rotate`), effect: 'once' },
  endKey: change('DELETE', `${base}/product/keys/{keyId}`),
  allowlistNfts: change('POST', `${base}/product/tokens`),
  getAllowedNfts: { ...productRead, path: `${base}/product/tokens` },
  getNfts: { ...productRead, path: `${base}/product/nfts` },
  getContracts: { ...productRead, path: `${base}/product/contracts` },
  getEvents: { ...productRead, path: `${base}/product/events` },
  getUsage: { ...productRead, path: `${base}/product/usage` },
  unbindContract: change('DELETE', `${base}/product/contract`),
  unbindNfts: change('DELETE', `${base}/product/tokens`),
  unbindNftList: change('POST', `${base}/product/tokens/unbind`),
  refreshMetadata: change('POST', `${base}/tokens/refresh`),
  getRawMetadata: { ...remembered, path: `${base}/player/tokens/raw`, credentials: keyAndPlayer },
  getStructuredMetadata: {
    ...remembered,
    path: `${base}/player/tokens`,
    credentials: keyAndPlayer,
  },
  getPublicKey: { ...read, path: `${base}/public-key`, credentials: [] },
  createPlayerToken: {
    method: 'GET',
    path: `${base}/player/token`,
    credentials: ['userJwt'],
    effect: 'repeatable',
  },
  getPlayerDetails: { ...remembered, path: `${base}/player/details`, credentials: ['playerToken'] },
  getPlayerBalance: { ...remembered, path: `${base}/player/balance`, credentials: ['playerToken'] },
  getKeySet: { ...read, path: '/.well-known/jwks.json', credentials: [], bare: true },
  getOpenapi: { ...read, path: `${base}/openapi.json`, credentials: [], bare: true },
} as const satisfies Record<string, Operation>

/** The name of an operation. */
export type OperationId = keyof typeof operations

function change(method: 'POST' | 'PATCH' | 'DELETE', path: string) {
  return { method, path, credentials: apiKey, effect: 'repeatable' } as const
}
