import { text } from 'node:stream/consumers'
import { describe, expect, test } from 'vitest'
import { serve } from '../../../test/support/services/http-server.ts'
import { localAccess } from '../../aws/aws-access.ts'
import { provision, resourceNames } from '../../aws/provision.ts'
import { createP256Key, startAws } from './aws-clients.ts'

describe('provision', () => {
  const provideAt = (url: string, indexerKey = 'secret one') =>
    provision(localAccess(url, 'us-east-1'), indexerKey)

  test('creates all resources, changes nothing when repeated, and updates the indexer key', async () => {
    const { url, dynamodb, kms, sqs, secretsManager } = await startAws()
    const resources = await provideAt(url)
    const table = await dynamodb.describeTable({ TableName: resources.tableName })
    expect(table.Table).toMatchObject({
      TableStatus: 'ACTIVE',
      BillingModeSummary: { BillingMode: 'PAY_PER_REQUEST' },
      KeySchema: [
        { AttributeName: 'pk', KeyType: 'HASH' },
        { AttributeName: 'sk', KeyType: 'RANGE' },
      ],
    })
    const request = { QueueUrl: resources.queueUrl, AttributeNames: ['All'] as 'All'[] }
    const { Attributes } = await sqs.getQueueAttributes(request)
    expect(Attributes).toMatchObject({ VisibilityTimeout: '90' })
    expect(JSON.parse(Attributes?.RedrivePolicy ?? '')).toEqual({
      deadLetterTargetArn: 'arn:aws:sqs:us-east-1:000000000000:player-nfts-local-work-dead-letters',
      maxReceiveCount: 5,
    })
    for (const [QueueUrl, MessageRetentionPeriod] of [
      [resources.webhookQueueUrl, '1209600'],
      [resources.webhookTestQueueUrl, '60'],
    ]) {
      const { Attributes: attributes } = await sqs.getQueueAttributes({ ...request, QueueUrl })
      expect(attributes).toMatchObject({ VisibilityTimeout: '120', MessageRetentionPeriod })
      expect(attributes).not.toHaveProperty('RedrivePolicy')
    }
    expect(resources.webhookSecret).toMatch(/^[\w-]{43}$/)
    for (const [alias, arn] of [
      [resourceNames.userJwtKeyAlias, resources.userJwtKeyArn],
      [resourceNames.playerTokenKeyAlias, resources.playerTokenKeyArn],
    ]) {
      const { KeyMetadata } = await kms.describeKey({ KeyId: alias })
      expect(KeyMetadata).toMatchObject({ Arn: arn, KeySpec: 'ECC_NIST_P256' })
    }
    expect(resources.userJwtKeyArn).not.toBe(resources.playerTokenKeyArn)

    const playerTokenKey = { KeyId: resourceNames.playerTokenKeyAlias }
    const { PublicKey = new Uint8Array() } = await kms.getPublicKey(playerTokenKey)
    expect(resources.playerTokenPublicKey).toBe(Buffer.from(PublicKey).toString('base64'))

    expect(await provideAt(url)).toEqual(resources)
    const secret = { SecretId: resources.indexerSecretArn }
    const read = async () => (await secretsManager.getSecretValue(secret)).SecretString
    expect(await read()).toBe('secret one')
    expect(await provideAt(url, 'secret two')).toEqual(resources)
    expect(await read()).toBe('secret two')
    // dynalite does not support UpdateTimeToLive, so provision ignores its failure.
    const ttl = await dynamodb.describeTimeToLive({ TableName: resources.tableName })
    expect(ttl.TimeToLiveDescription?.TimeToLiveStatus).toBe('DISABLED')
  })

  test('completes resources that exist in part', async () => {
    const { url, kms, sqs } = await startAws()
    await createP256Key(kms)
    await sqs.createQueue({ QueueName: resourceNames.queue })
    const resources = await provideAt(url)
    const request = { QueueUrl: resources.queueUrl, AttributeNames: ['All'] as 'All'[] }
    const { Attributes } = await sqs.getQueueAttributes(request)
    expect(Attributes).toMatchObject({ VisibilityTimeout: '90' })
    expect(Attributes?.RedrivePolicy).toContain('player-nfts-local-work-dead-letters')
  })

  test('uses the resources that another caller creates at the same time', async () => {
    const { url, kms, secretsManager } = await startAws()
    const rivalled: string[] = []
    const rival = async (action: string | undefined, body: string) => {
      const { AliasName, Name } = JSON.parse(body)
      if (action === 'CreateAlias') {
        const { KeyId } = await createP256Key(kms)
        await kms.createAlias({ AliasName, TargetKeyId: KeyId })
        rivalled.push(AliasName)
      }
      if (action === 'CreateSecret') {
        await secretsManager.createSecret({ Name, SecretString: 'theirs' })
        rivalled.push(Name)
      }
    }
    const between = await serve(async (request, response) => {
      const body = await text(request)
      const target = String(request.headers['x-amz-target'])
      await rival(target.split('.')[1], body)
      const passedOn = ['x-amz-target', 'x-amz-date', 'authorization', 'content-type']
      const headers = passedOn.map((name): [string, string] => [name, `${request.headers[name]}`])
      const answer = await fetch(url, { method: 'POST', headers, body })
      response.writeHead(answer.status).end(await answer.text())
    })
    const resources = await provideAt(between)
    const { table: _, queue, webhookQueue, webhookTestQueue, ...keysAndSecrets } = resourceNames
    expect(rivalled.toSorted()).toEqual(Object.values(keysAndSecrets).toSorted())
    expect(resources.playerDigestKey).toBe('theirs')
    const { KeyMetadata } = await kms.describeKey({ KeyId: resourceNames.userJwtKeyAlias })
    expect(KeyMetadata?.Arn).toBe(resources.userJwtKeyArn)
    const secret = { SecretId: resources.indexerSecretArn }
    expect((await secretsManager.getSecretValue(secret)).SecretString).toBe('secret one')
  })

  test('rejects with one sentence if the endpoint is not reachable', async () => {
    const { url, close } = await startAws()
    await close()
    await expect(provideAt(url)).rejects.toThrow(`AWS cannot be reached at ${url} (ECONNREFUSED)`)
  })
})
