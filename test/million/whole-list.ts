import { dynamoAllowedTokenIds } from '../../lib/adapters/dynamodb/allowed-token-ids.ts'
import { openTable } from '../../lib/adapters/dynamodb/table.ts'
import type { BindingId } from '../../lib/domain/nft/nft.ts'

/** Reads a whole allowlist at once and returns its length, which no function of the service does. */
export const handler = async ({ bindingId }: { bindingId: BindingId }): Promise<number> => {
  const tokenIds = await dynamoAllowedTokenIds(openTable()).list(bindingId, { limit: 1_000_000 })
  return tokenIds.length
}
