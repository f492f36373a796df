import {
  CreateSecretCommand,
  GetSecretValueCommand,
  PutSecretValueCommand,
} from '@aws-sdk/client-secrets-manager'
import { beforeEach, describe, expect, test } from 'vitest'
import { startAws } from './aws-clients.ts'

let aws: Awaited<ReturnType<typeof startAws>>
beforeEach(async () => {
  aws = await startAws()
})

describe('Secrets Manager', () => {
  test('creates a secret, returns it by name and by ARN, and replaces its value', async () => {
    const { secretsManager } = aws
    const create = new CreateSecretCommand({ Name: 'app/key', SecretString: 'one' })
    const { ARN, VersionId: first } = await secretsManager.send(create)
    expect(ARN).toMatch(/^arn:aws:secretsmanager:us-east-1:000000000000:secret:app\/key-\w{6}$/)
    for (const SecretId of ['app/key', ARN]) {
      const read = await secretsManager.send(new GetSecretValueCommand({ SecretId }))
      expect(read).toMatchObject({ SecretString: 'one', Name: 'app/key', VersionId: first })
    }
    const put = new PutSecretValueCommand({ SecretId: 'app/key', SecretString: 'two' })
    await secretsManager.send(put)
    const read = await secretsManager.send(new GetSecretValueCommand({ SecretId: 'app/key' }))
    expect(read.SecretString).toBe('two')
  })

  test('rejects the parameters that it does not support', async () => {
    const { secretsManager } = aws
    const SecretId = 'app/key'
    const bytes = new CreateSecretCommand({ Name: SecretId, SecretBinary: Buffer.of(0) })
    await expect(secretsManager.send(bytes)).rejects.toMatchObject({ name: 'ValidationException' })
    const previous = new GetSecretValueCommand({ SecretId, VersionStage: 'AWSPREVIOUS' })
    await expect(secretsManager.send(previous)).rejects.toMatchObject({
      name: 'ValidationException',
    })
  })

  test('accepts a retry with the same token and value, and rejects other values', async () => {
    const { secretsManager } = aws
    const token = { ClientRequestToken: 'a'.repeat(32) }
    const create = { Name: 'repeated', SecretString: 'one', ...token }
    const { ARN } = await secretsManager.send(new CreateSecretCommand(create))
    const again = await secretsManager.send(new CreateSecretCommand(create))
    expect(again.ARN).toBe(ARN)
    const put = new PutSecretValueCommand({ SecretId: ARN, SecretString: 'two', ...token })
    await expect(secretsManager.send(put)).rejects.toMatchObject({
      name: 'ResourceExistsException',
    })
    const other = new CreateSecretCommand({ Name: 'repeated', SecretString: 'one' })
    await expect(secretsManager.send(other)).rejects.toMatchObject({
      name: 'ResourceExistsException',
    })
    const unknown = new GetSecretValueCommand({ SecretId: 'unknown' })
    await expect(secretsManager.send(unknown)).rejects.toMatchObject({
      name: 'ResourceNotFoundException',
    })
  })
})
