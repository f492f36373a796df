import { createHash, createPublicKey, verify } from 'node:crypto'
import {
  CreateAliasCommand,
  CreateKeyCommand,
  DescribeKeyCommand,
  GetPublicKeyCommand,
  SignCommand,
} from '@aws-sdk/client-kms'
import {
  CreateSecretCommand,
  GetSecretValueCommand,
  PutSecretValueCommand,
} from '@aws-sdk/client-secrets-manager'
import { beforeEach, describe, expect, test } from 'vitest'
import { clientsOf, createP256Key, startAws } from './aws-clients.ts'

let aws: Awaited<ReturnType<typeof startAws>>

beforeEach(async () => {
  aws = await startAws()
})

describe('KMS', () => {
  test('identifies a key by key id, key ARN, alias name and alias ARN', async () => {
    const { KeyId, Arn } = await createP256Key(aws.kms)
    await aws.kms.send(new CreateAliasCommand({ AliasName: 'alias/a/b', TargetKeyId: Arn }))
    const aliasArn = 'arn:aws:kms:us-east-1:000000000000:alias/a/b'
    expect(Arn).toBe(`arn:aws:kms:us-east-1:000000000000:key/${KeyId}`)
    for (const id of [KeyId, Arn, 'alias/a/b', aliasArn]) {
      const { KeyMetadata } = await aws.kms.send(new DescribeKeyCommand({ KeyId: id }))
      expect(KeyMetadata).toMatchObject({ KeyId, Arn, Enabled: true, KeySpec: 'ECC_NIST_P256' })
      expect(KeyMetadata?.CreationDate).toBeInstanceOf(Date)
    }
  })

  test('the region of an ARN is the region of the call’s signature', async () => {
    const { kms } = clientsOf(aws.url, 'eu-west-1')
    const { KeyId, Arn } = await createP256Key(kms)
    expect(Arn).toBe(`arn:aws:kms:eu-west-1:000000000000:key/${KeyId}`)
  })

  test('signs RAW messages of up to 4,096 bytes', async () => {
    const { KeyId } = await createP256Key(aws.kms)
    const published = await aws.kms.send(new GetPublicKeyCommand({ KeyId }))
    const der = Buffer.from(published.PublicKey ?? [])
    const publicKey = createPublicKey({ key: der, type: 'spki', format: 'der' })
    const sign = (Message: Uint8Array) => {
      const request = { KeyId, Message, SigningAlgorithm: 'ECDSA_SHA_256' } as const
      return aws.kms.send(new SignCommand(request))
    }
    const longest = Buffer.alloc(4_096, 'x')
    const { Signature = new Uint8Array() } = await sign(longest)
    expect(verify('sha256', longest, publicKey, Signature)).toBe(true)
    await expect(sign(Buffer.alloc(4_097))).rejects.toThrow(
      expect.objectContaining({ name: 'ValidationException' }),
    )
  })

  test('signs RAW and DIGEST messages in DER, and the public key verifies the signatures', async () => {
    const { KeyId, Arn } = await createP256Key(aws.kms)
    const published = await aws.kms.send(new GetPublicKeyCommand({ KeyId }))
    const der = Buffer.from(published.PublicKey ?? [])
    const publicKey = createPublicKey({ key: der, type: 'spki', format: 'der' })
    expect(published).toMatchObject({ KeyId: Arn, SigningAlgorithms: ['ECDSA_SHA_256'] })
    const SigningAlgorithm = 'ECDSA_SHA_256'
    // DER writes 33 bytes for a number with a leading 1 bit. KMS returns both forms of r and of s.
    const seen = new Set<string>()
    for (let i = 0; i < 2 || (seen.size < 4 && i < 100); i++) {
      const message = Buffer.from(`message ${i}`)
      const digest = createHash('sha256').update(message).digest()
      const MessageType = i % 2 === 0 ? 'RAW' : 'DIGEST'
      const Message = MessageType === 'RAW' ? message : digest
      const request = { KeyId, Message, MessageType, SigningAlgorithm } as const
      const { Signature = new Uint8Array() } = await aws.kms.send(new SignCommand(request))
      expect(verify('sha256', message, publicKey, Signature)).toBe(true)
      const [, , , rLength = 0] = Signature
      seen.add(`r ${rLength === 33}`).add(`s ${Signature[rLength + 5] === 33}`)
    }
    expect(seen.size).toBe(4)
  })

  test('uses the error names of AWS', async () => {
    const { KeyId, Arn } = await createP256Key(aws.kms)
    await aws.kms.send(new CreateAliasCommand({ AliasName: 'alias/taken', TargetKeyId: KeyId }))
    const Message = Buffer.from('text')
    const signing = { KeyId, Message, SigningAlgorithm: 'ECDSA_SHA_256' } as const
    const name = (name: string) => ({ name, $metadata: { httpStatusCode: 400 } })
    const { kms } = aws
    for (const unknown of ['alias/unknown', 'unknown', Arn.replace('us-east-1', 'eu-west-1')]) {
      await expect(kms.send(new DescribeKeyCommand({ KeyId: unknown }))).rejects.toMatchObject(
        name('NotFoundException'),
      )
    }
    const again = new CreateAliasCommand({ AliasName: 'alias/taken', TargetKeyId: KeyId })
    await expect(kms.send(again)).rejects.toMatchObject(name('AlreadyExistsException'))
    const noAlias = new CreateAliasCommand({ AliasName: 'taken', TargetKeyId: KeyId })
    await expect(kms.send(noAlias)).rejects.toMatchObject(name('ValidationException'))
    const symmetric = new CreateKeyCommand({})
    await expect(kms.send(symmetric)).rejects.toMatchObject(name('UnsupportedOperationException'))
    const short = new SignCommand({ ...signing, MessageType: 'DIGEST' })
    await expect(kms.send(short)).rejects.toMatchObject(name('ValidationException'))
    const hash512 = new SignCommand({ ...signing, SigningAlgorithm: 'ECDSA_SHA_512' })
    await expect(kms.send(hash512)).rejects.toMatchObject(name('ValidationException'))
  })
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
