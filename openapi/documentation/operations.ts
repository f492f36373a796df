import type { OperationId, Routes } from '../../lib/contract/routes.ts'
import { allowlistNfts, getAllowedNfts, unbindContract, unbindNfts } from './allowlist.ts'
import type { OperationDocumentation } from './documentation.ts'
import { getKeySet, getOpenapi, getPublicKey } from './keys.ts'
import {
  createPlayerToken,
  getPlayerDetails,
  getRawMetadata,
  getStructuredMetadata,
} from './player.ts'
import { getProduct, registerProduct } from './product.ts'
import { refreshMetadata } from './refresh.ts'

/** The prose and examples of every operation. */
export const operationDocumentation: {
  [Id in OperationId]: OperationDocumentation<Routes[Id]>
} = {
  registerProduct,
  getProduct,
  allowlistNfts,
  getAllowedNfts,
  unbindContract,
  unbindNfts,
  refreshMetadata,
  getRawMetadata,
  getStructuredMetadata,
  getPublicKey,
  createPlayerToken,
  getPlayerDetails,
  getKeySet,
  getOpenapi,
}
