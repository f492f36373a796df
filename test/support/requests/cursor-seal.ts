import { GetSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager'
import { expect } from 'vitest'
import { awsClient } from '../../../lib/adapters/aws/aws-client.ts'
import { dynamoContracts } from '../../../lib/adapters/dynamodb/contracts.ts'
import { dynamodb } from '../../../lib/adapters/dynamodb/table.ts'
import { hmacCursors } from '../../../lib/adapters/hmac/cursors.ts'
import type { CursorContext, Cursors } from '../../../lib/domain/ports/cursors.ts'
import type { ProductId } from '../../../lib/domain/product/product.ts'
import type { OwnService } from '../services/own-service.ts'

/** The cursors of a service, as only the service itself can make them, and what they are tied to. */
interface CursorSeal {
  cursors: Cursors
  /** The product of a request, from the log. */
  productOf(requestId: string): Promise<ProductId>
  /** The values that authenticate a cursor of 4.8 on POLYGON. */
  tieOf(
    player: { userId: number; wallets: readonly string[] },
    productId: ProductId,
  ): Promise<CursorContext>
}

/** Returns the cursors of a service. */
export const cursorSealOf = ({ stack, log }: OwnService): CursorSeal => ({
  cursors: hmacCursors(() => indexerKey(stack)),

  async productOf(requestId) {
    const line = () => log.find((text) => text.includes(requestId))
    await expect.poll(line).toBeDefined()
    return JSON.parse(line() ?? '').productId
  },

  async tieOf({ userId, wallets }, productId) {
    const table = {
      client: awsClient(dynamodb, stack.aws),
      name: stack.resources.tableName,
      requestsAtOnce: 1,
    }
    const contracts = await dynamoContracts(table).list(productId)
    return {
      scope: ['getRawMetadata', productId, `${userId}`, 'POLYGON'],
      basis: [...wallets, ...contracts.map(({ bindingId }) => bindingId)],
    }
  },
})

/** The key that the functions authenticate cursors with. */
async function indexerKey({ aws, resources }: OwnService['stack']): Promise<string> {
  const client = new SecretsManagerClient(aws)
  try {
    const SecretId = resources.indexerSecretArn
    const { SecretString = '' } = await client.send(new GetSecretValueCommand({ SecretId }))
    return SecretString
  } finally {
    client.destroy()
  }
}
