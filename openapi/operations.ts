import { functionName, type OperationId } from '../lib/contract/routes.ts'
import type { AnyDocumentation, OperationDocumentation } from './operation-documentation.ts'
import { allowlistNfts } from './operations/allowlist-nfts.ts'
import { createKey } from './operations/create-key.ts'
import { createPlayerToken } from './operations/create-player-token.ts'
import { deleteProduct } from './operations/delete-product.ts'
import { endKey } from './operations/end-key.ts'
import { getAllowedNfts } from './operations/get-allowed-nfts.ts'
import { getContracts } from './operations/get-contracts.ts'
import { getEvents } from './operations/get-events.ts'
import { getKeySet } from './operations/get-key-set.ts'
import { getNfts } from './operations/get-nfts.ts'
import { getOpenapi } from './operations/get-openapi.ts'
import { getPlayerDetails } from './operations/get-player-details.ts'
import { getProduct } from './operations/get-product.ts'
import { getPublicKey } from './operations/get-public-key.ts'
import { getRawMetadata } from './operations/get-raw-metadata.ts'
import { getStructuredMetadata } from './operations/get-structured-metadata.ts'
import { getUsage } from './operations/get-usage.ts'
import { listKeys } from './operations/list-keys.ts'
import { refreshMetadata } from './operations/refresh-metadata.ts'
import { registerProduct } from './operations/register-product.ts'
import { rotateKey } from './operations/rotate-key.ts'
import { unbindContract } from './operations/unbind-contract.ts'
import { unbindNftList } from './operations/unbind-nft-list.ts'
import { unbindNfts } from './operations/unbind-nfts.ts'
import { updateProduct } from './operations/update-product.ts'

/** The prose and examples of every operation. */
export const operationDocumentation: { [Id in OperationId]: OperationDocumentation<Id> } = {
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
  unbindContract,
  unbindNfts,
  unbindNftList,
  refreshMetadata,
  getRawMetadata,
  getStructuredMetadata,
  getPublicKey,
  createPlayerToken,
  getPlayerDetails,
  getKeySet,
  getOpenapi,
}

/** The prose and examples of an operation. Throws if there are none, with the file to add. */
export function documentationOf(id: OperationId): AnyDocumentation {
  const documentation: AnyDocumentation | undefined = operationDocumentation[id]
  if (documentation) return documentation
  const file = `openapi/operations/${functionName(id)}.ts`
  throw new Error(`Add ${file} for the row ${id}, and list it in openapi/operations.ts.`)
}
