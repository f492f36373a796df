import {
  allowedNfts,
  confirmation,
  connectedContracts,
  keySet,
  openApiDocument,
  playerDetails,
  playerToken,
  productEvents,
  productInformation,
  productKey,
  publicKey,
  rawNfts,
  refreshReport,
  structuredNfts,
  unboundNfts,
} from './answers.ts'
import { base, productRoutes } from './product-routes.ts'
import {
  allowedNftsRange,
  allowlisting,
  contractsRange,
  contractToRefresh,
  contractToUnbind,
  eventsRange,
  nftListToUnbind,
  nftsToUnbind,
  playerNftsRange,
  playerTokenRequest,
  productRegistration,
} from './requests.ts'
import type { Route } from './route.ts'

/** The columns that the two operations have in common that read a player's NFTs. */
const readingPlayerNfts = {
  method: 'GET',
  auth: 'PRODUCT',
  scope: 'READ',
  clientAccess: true,
  limits: [
    'client_reads',
    'indexer_calls_by_minute',
    'indexer_calls_by_day',
    'client_indexer_calls_by_minute',
    'client_indexer_calls_by_day',
  ],
  player: true,
  query: playerNftsRange,
  form: 'paged',
  problems: ['cursor_expired', 'indexer_unavailable', 'service_unavailable'],
} as const

/**
 * The route table: one row per operation. Handler types, the deployed routes, the local server, the
 * OpenAPI document and the tests of every route come from it. The function of a row is the file of the
 * same name, in kebab-case, under functions/.
 */
export const routes = {
  registerProduct: {
    section: '4.1',
    method: 'POST',
    paths: [`${base}/product`],
    auth: 'NONE',
    limits: ['registrations', 'registrations_by_address'],
    bySourceAddress: true,
    body: productRegistration,
    answer: productKey,
    problems: ['service_unavailable'],
  },
  getProduct: {
    section: '4.2',
    method: 'GET',
    paths: [`${base}/product`],
    auth: 'PRODUCT',
    scope: 'MANAGE',
    answer: productInformation,
    problems: ['service_unavailable'],
  },
  ...productRoutes,
  allowlistNfts: {
    section: '4.3',
    method: 'POST',
    paths: [`${base}/product/tokens`],
    auth: 'PRODUCT',
    scope: 'MANAGE',
    limits: ['allowlisted_nfts', 'nfts'],
    body: allowlisting,
    answer: allowedNfts,
    problems: ['service_unavailable'],
  },
  getAllowedNfts: {
    section: '4.4',
    method: 'GET',
    paths: [`${base}/product/tokens`],
    auth: 'PRODUCT',
    scope: 'MANAGE',
    query: allowedNftsRange,
    answer: allowedNfts,
    form: 'paged',
    problems: ['service_unavailable'],
  },
  getContracts: {
    section: 'D37',
    method: 'GET',
    paths: [`${base}/product/contracts`],
    auth: 'PRODUCT',
    scope: 'MANAGE',
    query: contractsRange,
    answer: connectedContracts,
    form: 'paged',
    problems: ['service_unavailable'],
  },
  getEvents: {
    section: 'D49',
    method: 'GET',
    paths: [`${base}/product/events`],
    auth: 'PRODUCT',
    scope: 'MANAGE',
    query: eventsRange,
    answer: productEvents,
    form: 'paged',
    problems: ['service_unavailable'],
  },
  unbindContract: {
    section: '4.5',
    method: 'DELETE',
    paths: [`${base}/product/contract`],
    auth: 'PRODUCT',
    scope: 'MANAGE',
    query: contractToUnbind,
    answer: confirmation,
    problems: ['contract_not_connected', 'service_unavailable'],
  },
  unbindNfts: {
    section: '4.6',
    method: 'DELETE',
    paths: [`${base}/product/tokens`],
    auth: 'PRODUCT',
    scope: 'MANAGE',
    query: nftsToUnbind,
    answer: unboundNfts,
    problems: ['contract_not_connected', 'service_unavailable'],
  },
  unbindNftList: {
    section: 'D50',
    method: 'POST',
    paths: [`${base}/product/tokens/unbind`],
    auth: 'PRODUCT',
    scope: 'MANAGE',
    body: nftListToUnbind,
    answer: unboundNfts,
    problems: ['contract_not_connected', 'service_unavailable'],
  },
  refreshMetadata: {
    section: '4.7',
    method: 'POST',
    paths: [`${base}/tokens/refresh`],
    auth: 'PRODUCT',
    scope: 'MANAGE',
    limits: ['indexer_calls_by_minute', 'indexer_calls_by_day'],
    body: contractToRefresh,
    answer: refreshReport,
    problems: ['contract_not_connected', 'indexer_unavailable', 'service_unavailable'],
  },
  getRawMetadata: {
    section: '4.8',
    paths: [`${base}/player/tokens/raw`],
    ...readingPlayerNfts,
    answer: rawNfts,
  },
  getStructuredMetadata: {
    section: '4.9',
    paths: [`${base}/player/tokens`],
    ...readingPlayerNfts,
    answer: structuredNfts,
  },
  getPublicKey: {
    section: '4.10',
    method: 'GET',
    paths: [`${base}/public-key`],
    auth: 'NONE',
    answer: publicKey,
    maxAgeSeconds: 300,
    problems: ['service_unavailable'],
  },
  createPlayerToken: {
    section: '4.11',
    method: 'GET',
    paths: [`${base}/player/token`],
    auth: 'USER',
    query: playerTokenRequest,
    limits: ['player_tokens'],
    answer: playerToken,
    problems: ['service_unavailable'],
  },
  getPlayerDetails: {
    section: '4.12',
    method: 'GET',
    paths: [`${base}/player/details`, `${base}/player/balance`],
    auth: 'NONE',
    player: true,
    limits: ['player_details'],
    answer: playerDetails,
    problems: ['indexer_unavailable', 'service_unavailable'],
  },
  getKeySet: {
    section: 'D32',
    method: 'GET',
    paths: ['/.well-known/jwks.json'],
    auth: 'NONE',
    answer: keySet,
    form: 'bare',
    maxAgeSeconds: 300,
    problems: ['service_unavailable'],
  },
  getOpenapi: {
    section: 'D33',
    method: 'GET',
    paths: [`${base}/openapi.json`],
    auth: 'NONE',
    answer: openApiDocument,
    form: 'bare',
    maxAgeSeconds: 300,
    problems: [],
  },
} as const satisfies Record<string, Route>

export type Routes = typeof routes

/** The name of an operation: its key in the route table, its operationId in OpenAPI. */
export type OperationId = keyof Routes

/** The names of all operations. */
export const operationIds = Object.keys(routes) as OperationId[]

/** The function file of an operation, without its ending: `getProduct` is get-product. */
export const functionName = (id: OperationId): string =>
  id.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
