import { dynamoAllowedTokenIds } from '../../lib/adapters/dynamodb/allowed-token-ids.ts'
import { openTable } from '../../lib/adapters/dynamodb/table.ts'
import type { BindingId } from '../../lib/domain/allowlist.ts'

/** What no function of the service does: it reads a whole allowlist, to say how long it is. */
export const handler = async ({ bindingId }: { bindingId: BindingId }): Promise<number> => {
  const tokenIds = await dynamoAllowedTokenIds(openTable()).list(bindingId, { limit: 1_000_000 })
  return tokenIds.length
}
