import { PutSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager'
import { ReceiveMessageCommand, SQSClient } from '@aws-sdk/client-sqs'
import { afterAll, afterEach, describe, expect, test } from 'vitest'
import { secretsIndexerKey } from '../../lib/adapters/secrets/indexer-key.ts'
import { parseWorkItem, sqsWorkQueue } from '../../lib/adapters/sqs/work-queue.ts'
import type { TokenId } from '../../lib/domain/allowlist/token-id.ts'
import { ServiceUnavailable } from '../../lib/domain/failures.ts'
import type { BindingId } from '../../lib/domain/nft/nft.ts'
import type { WorkItem } from '../../lib/domain/work/work-item.ts'
import { addressOf } from '../../simulation/memory-chain.ts'
import { indexerKey, startTestAws } from '../support/aws/test-aws.ts'
import { productId } from '../support/memory/owned-nfts.ts'

const aws = await startTestAws()
const sqs = new SQSClient(aws.access)
const secretsManager = new SecretsManagerClient(aws.access)
afterAll(() => {
  sqs.destroy()
  secretsManager.destroy()
})
afterEach(() => aws.interfere({}))

const contract = { chain: 'BSC', address: addressOf(1), bindingId: 'binding' as BindingId } as const
const sweep: WorkItem = { kind: 'sweep', productId, contract }
const refresh: WorkItem = { kind: 'refresh', productId, contract, refreshId: 'refresh' }
const deletion: WorkItem = { kind: 'deleteProduct', productId }

const { bindingId: _, ...kept } = contract
const [wallet, tokenId] = [addressOf(2), `${2n ** 256n - 1n}` as TokenId]
const suspicion = { id: '7', block: 5, wallets: [wallet], pairs: [{ wallet, tokenId }] }
const looked = { address: kept.address, id: '7', since: 5 }
const look = {
  chain: 'BSC',
  from: 6,
  to: 9,
  contracts: [looked, { ...looked, isSuspected: true }],
} as const
const ofUpkeep: WorkItem[] = [
  { kind: 'upkeep' },
  { kind: 'snapshot', contract: kept, turn: 1 },
  { kind: 'prefetch', contract: kept, looked: 0 },
  { kind: 'prefetch', contract: kept, after: tokenId, looked: 100 },
  { kind: 'audit', contract: kept },
  { kind: 'audit', contract: kept, suspicion, until: 1 },
  { kind: 'secondLook', look, until: 1 },
  { kind: 'dueMetadata', chain: 'BSC' },
  { kind: 'deleteLists', snapshot: { ...kept, id: '7' } },
]

describe('the work queue', () => {
  const queue = sqsWorkQueue()
  const lastSent = () => aws.proxy.requests.findLast(({ action }) => action === 'SendMessage')?.body

  test.each([sweep, refresh, deletion, ...ofUpkeep])(
    'a $kind item is received as it was sent',
    async (item) => {
      await queue.send(item, 0)
      const { Messages = [] } = await sqs.send(
        new ReceiveMessageCommand({ QueueUrl: aws.resources.queueUrl, WaitTimeSeconds: 1 }),
      )
      expect(Messages.map(({ Body = '' }) => parseWorkItem(Body))).toEqual([item])
    },
  )

  test('D19: a sweep is delayed by longer than any function runs, unless specified otherwise', async () => {
    await queue.send(sweep)
    expect(lastSent().DelaySeconds).toBe(60)
    await queue.send(sweep, 0)
    expect(lastSent().DelaySeconds).toBe(0)
    await queue.send(refresh)
    expect(lastSent().DelaySeconds).toBe(0)
    await queue.send(refresh, 5)
    expect(lastSent().DelaySeconds).toBe(5)
  })

  test('D45: a deletion is delayed until the product has ended for that long', async () => {
    await queue.send(deletion)
    expect(lastSent().DelaySeconds).toBe(61)
    await queue.send(deletion, 0)
    expect(lastSent().DelaySeconds).toBe(0)
  })

  test.each([
    'garbage',
    '{}',
    JSON.stringify({ ...sweep, kind: 'other' }),
    JSON.stringify({ ...sweep, contract: { ...contract, chain: 'SOLANA' } }),
    JSON.stringify({ ...refresh, refreshId: undefined }),
    JSON.stringify({ kind: 'deleteProduct' }),
    JSON.stringify({ kind: 'snapshot', contract: kept }),
    JSON.stringify({ kind: 'audit', contract: kept, suspicion: { ...suspicion, pairs: ['1'] } }),
    JSON.stringify({ kind: 'secondLook', look: { ...look, to: '9' }, until: 1 }),
    JSON.stringify({ kind: 'dueMetadata', chain: 'SOLANA' }),
  ])('%s is rejected as a work item', (message) => {
    expect(() => parseWorkItem(message)).toThrow()
  })

  test('D3: an error of the queue is service_unavailable', async () => {
    aws.interfere({ onRequest: () => ({ status: 400, body: { __type: 'AccessDenied' } }) })
    await expect(queue.send(sweep)).rejects.toThrow(ServiceUnavailable)
  })
})

describe('the indexer’s key', () => {
  const reads = () => aws.proxy.count('GetSecretValue')

  test('is read once, and again after the indexer rejects it', async () => {
    const key = secretsIndexerKey()
    const before = reads()
    expect(await Promise.all([key(), key(), key()])).toEqual([indexerKey, indexerKey, indexerKey])
    expect(reads() - before).toBe(1)
    const SecretId = aws.resources.indexerSecretArn
    const SecretString = '  another key\n'
    await secretsManager.send(new PutSecretValueCommand({ SecretId, SecretString }))
    expect(await key()).toBe(indexerKey)
    expect(await key({ anew: true })).toBe('another key')
    expect(await key()).toBe('another key')
    expect(reads() - before).toBe(2)
  })

  test('a failed read is not cached', async () => {
    const key = secretsIndexerKey()
    aws.interfere({ onRequest: () => ({ status: 400, body: { __type: 'DecryptionFailure' } }) })
    await expect(key()).rejects.toThrow(ServiceUnavailable)
    aws.interfere({})
    expect(await key()).toBe('another key')
  })

  test('an empty secret is not a key', async () => {
    aws.interfere({ onRequest: () => ({ status: 200, body: { SecretString: '' } }) })
    await expect(secretsIndexerKey()()).rejects.toThrow(ServiceUnavailable)
  })
})
