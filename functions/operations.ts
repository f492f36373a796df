import type { AnyDocumentation } from '../lib/contract/documentation.ts'
import type { Feature, OperationRequests, Route } from '../lib/contract/route.ts'
import * as addWallet from './add-wallet/operation.ts'
import * as allowlistNfts from './allowlist-nfts/operation.ts'
import * as authorizeDevice from './authorize-device/operation.ts'
import * as createKey from './create-key/operation.ts'
import * as createPlayerToken from './create-player-token/operation.ts'
import * as createSignInMessage from './create-sign-in-message/operation.ts'
import * as createToken from './create-token/operation.ts'
import * as createWebhook from './create-webhook/operation.ts'
import * as decideDeviceRequest from './decide-device-request/operation.ts'
import * as deleteProduct from './delete-product/operation.ts'
import * as deleteWebhook from './delete-webhook/operation.ts'
import * as endAccess from './end-access/operation.ts'
import * as endKey from './end-key/operation.ts'
import * as getAllowedNfts from './get-allowed-nfts/operation.ts'
import * as getAuthorizationServer from './get-authorization-server/operation.ts'
import * as getContracts from './get-contracts/operation.ts'
import * as getDeviceRequest from './get-device-request/operation.ts'
import * as getEvents from './get-events/operation.ts'
import * as getGames from './get-games/operation.ts'
import * as getKeySet from './get-key-set/operation.ts'
import * as getNfts from './get-nfts/operation.ts'
import * as getOpenapi from './get-openapi/operation.ts'
import * as getPlayerDetails from './get-player-details/operation.ts'
import * as getProduct from './get-product/operation.ts'
import * as getPublicKey from './get-public-key/operation.ts'
import * as getRawMetadata from './get-raw-metadata/operation.ts'
import * as getSignedInUser from './get-signed-in-user/operation.ts'
import * as getStructuredMetadata from './get-structured-metadata/operation.ts'
import * as getUsage from './get-usage/operation.ts'
import * as getWebhookEvents from './get-webhook-events/operation.ts'
import * as listKeys from './list-keys/operation.ts'
import * as listWebhooks from './list-webhooks/operation.ts'
import * as refreshMetadata from './refresh-metadata/operation.ts'
import * as registerProduct from './register-product/operation.ts'
import * as removeWallet from './remove-wallet/operation.ts'
import * as replayWebhook from './replay-webhook/operation.ts'
import * as rotateKey from './rotate-key/operation.ts'
import * as rotateWebhookSecret from './rotate-webhook-secret/operation.ts'
import * as signIn from './sign-in/operation.ts'
import * as signOut from './sign-out/operation.ts'
import * as testWebhook from './test-webhook/operation.ts'
import * as unbindContract from './unbind-contract/operation.ts'
import * as unbindNftList from './unbind-nft-list/operation.ts'
import * as unbindNfts from './unbind-nfts/operation.ts'
import * as updateProduct from './update-product/operation.ts'
import * as updateWebhook from './update-webhook/operation.ts'

interface Operation<Id> {
  readonly row: Route & { readonly id: Id }
  readonly requests: OperationRequests
  documentation(): AnyDocumentation
}

const named = <Operations extends { [Id in keyof Operations]: Operation<Id> }>(
  operations: Operations,
): Operations => operations

/**
 * All operations, in the order of the OpenAPI document: the routes, the document, the client and the tests of routes
 * come from here.
 */
export const operations = named({
  registerProduct,
  getProduct,
  updateProduct,
  deleteProduct,
  createKey,
  listKeys,
  rotateKey,
  endKey,
  allowlistNfts,
  getAllowedNfts,
  getNfts,
  getContracts,
  getEvents,
  getUsage,
  getWebhookEvents,
  unbindContract,
  unbindNfts,
  unbindNftList,
  refreshMetadata,
  createWebhook,
  listWebhooks,
  updateWebhook,
  rotateWebhookSecret,
  testWebhook,
  replayWebhook,
  deleteWebhook,
  getRawMetadata,
  getStructuredMetadata,
  getPublicKey,
  createPlayerToken,
  getPlayerDetails,
  createSignInMessage,
  signIn,
  getSignedInUser,
  addWallet,
  removeWallet,
  signOut,
  getGames,
  endAccess,
  authorizeDevice,
  getDeviceRequest,
  decideDeviceRequest,
  createToken,
  getAuthorizationServer,
  getKeySet,
  getOpenapi,
})

export type OperationId = keyof typeof operations

export const operationIds = Object.keys(operations) as OperationId[]

/** The route table: the row of each operation. */
export const routes = Object.fromEntries(
  operationIds.map((id) => [id, operations[id].row]),
) as unknown as Routes

type Routes = { readonly [Id in OperationId]: (typeof operations)[Id]['row'] }

/** The names of the operations that need a feature. */
export type OperationIdWith<Needed extends Feature> = {
  [Id in OperationId]: Routes[Id] extends { needs: Needed } ? Id : never
}[OperationId]

/** Whether a deployment with these settings has an operation. */
export const isIn = (
  { needs }: Route,
  settings: { readonly [Needed in Feature]?: unknown },
): boolean => needs === undefined || settings[needs] !== undefined
