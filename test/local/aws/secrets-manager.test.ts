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
  test('a secret is created, read by name and by ARN, and replaced', async () => {
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
    const read = (rest: { VersionId?: string; VersionStage?: string }) =>
      secretsManager.send(new GetSecretValueCommand({ SecretId: 'app/key', ...rest }))
    expect((await read({})).SecretString).toBe('two')
    expect((await read({ VersionStage: 'AWSPREVIOUS' })).SecretString).toBe('one')
    expect((await read({ VersionId: first ?? '' })).SecretString).toBe('one')
  })

  test('bytes come back as bytes', async () => {
    const SecretBinary = Buffer.from([0, 255, 128])
    await aws.secretsManager.send(new CreateSecretCommand({ Name: 'bytes', SecretBinary }))
    const read = await aws.secretsManager.send(new GetSecretValueCommand({ SecretId: 'bytes' }))
    expect(Buffer.from(read.SecretBinary ?? [])).toEqual(SecretBinary)
    expect(read.SecretString).toBeUndefined()
  })

  test('a repeated call with the same token changes nothing; other content is refused', async () => {
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
