import { createHash, createPublicKey, verify } from 'node:crypto'
import { beforeEach, describe, expect, test } from 'vitest'
import { clientsOf, createP256Key, expectError, startAws } from './aws-clients.ts'

let aws: Awaited<ReturnType<typeof startAws>>

beforeEach(async () => {
  aws = await startAws()
})

describe('KMS', () => {
  test('identifies a key by key id, key ARN, alias name and alias ARN', async () => {
    const { KeyId, Arn } = await createP256Key(aws.kms)
    await aws.kms.createAlias({ AliasName: 'alias/a/b', TargetKeyId: Arn })
    const aliasArn = 'arn:aws:kms:us-east-1:000000000000:alias/a/b'
    expect(Arn).toBe(`arn:aws:kms:us-east-1:000000000000:key/${KeyId}`)
    for (const id of [KeyId, Arn, 'alias/a/b', aliasArn]) {
      const { KeyMetadata } = await aws.kms.describeKey({ KeyId: id })
      expect(KeyMetadata).toMatchObject({ KeyId, Arn, Enabled: true, KeySpec: 'ECC_NIST_P256' })
      expect(KeyMetadata?.CreationDate).toBeInstanceOf(Date)
    }
  })

  test('the region of an ARN is the region of the call’s signature', async () => {
    const { kms } = clientsOf(aws.url, 'eu-west-1')
    const { KeyId, Arn } = await createP256Key(kms)
    expect(Arn).toBe(`arn:aws:kms:eu-west-1:000000000000:key/${KeyId}`)
  })

  test('signs RAW messages of up to 4,096 bytes, and DIGEST, in DER, and the public key verifies the signatures', async () => {
    const { KeyId, Arn } = await createP256Key(aws.kms)
    const published = await aws.kms.getPublicKey({ KeyId })
    const der = Buffer.from(published.PublicKey ?? [])
    const publicKey = createPublicKey({ key: der, type: 'spki', format: 'der' })
    expect(published).toMatchObject({ KeyId: Arn, SigningAlgorithms: ['ECDSA_SHA_256'] })
    const SigningAlgorithm = 'ECDSA_SHA_256'
    const longest = Buffer.alloc(4_096, 'x')
    const signed = await aws.kms.sign({ KeyId, Message: longest, SigningAlgorithm })
    expect(verify('sha256', longest, publicKey, signed.Signature ?? new Uint8Array())).toBe(true)
    const longer = { KeyId, Message: Buffer.alloc(4_097), SigningAlgorithm } as const
    await expectError(aws.kms.sign(longer), 'ValidationException')
    // DER writes 33 bytes for a number with a leading 1 bit. KMS returns both forms of r and of s.
    const seen = new Set<string>()
    for (let i = 0; i < 2 || (seen.size < 4 && i < 100); i++) {
      const message = Buffer.from(`message ${i}`)
      const digest = createHash('sha256').update(message).digest()
      const MessageType = i % 2 === 0 ? 'RAW' : 'DIGEST'
      const Message = MessageType === 'RAW' ? message : digest
      const request = { KeyId, Message, MessageType, SigningAlgorithm } as const
      const { Signature = new Uint8Array() } = await aws.kms.sign(request)
      expect(verify('sha256', message, publicKey, Signature)).toBe(true)
      const [, , , rLength = 0] = Signature
      seen.add(`r ${rLength === 33}`).add(`s ${Signature[rLength + 5] === 33}`)
    }
    expect(seen.size).toBe(4)
  })

  test('uses the error names of AWS', async () => {
    const { KeyId, Arn } = await createP256Key(aws.kms)
    await aws.kms.createAlias({ AliasName: 'alias/taken', TargetKeyId: KeyId })
    const Message = Buffer.from('text')
    const signing = { KeyId, Message, SigningAlgorithm: 'ECDSA_SHA_256' } as const
    const { kms } = aws
    for (const unknown of ['alias/unknown', 'unknown', Arn.replace('us-east-1', 'eu-west-1')]) {
      await expectError(kms.describeKey({ KeyId: unknown }), 'NotFoundException')
    }
    const alias = (AliasName: string) => kms.createAlias({ AliasName, TargetKeyId: KeyId })
    await expectError(alias('alias/taken'), 'AlreadyExistsException')
    await expectError(alias('taken'), 'ValidationException')
    await expectError(kms.createKey({}), 'UnsupportedOperationException')
    await expectError(kms.sign({ ...signing, MessageType: 'DIGEST' }), 'ValidationException')
    const hash512 = { ...signing, SigningAlgorithm: 'ECDSA_SHA_512' } as const
    await expectError(kms.sign(hash512), 'ValidationException')
  })
})

describe('Secrets Manager', () => {
  test('creates a secret, returns it by name and by ARN, and replaces its value', async () => {
    const { secretsManager } = aws
    const create = { Name: 'app/key', SecretString: 'one' }
    const { ARN, VersionId: first } = await secretsManager.createSecret(create)
    expect(ARN).toMatch(/^arn:aws:secretsmanager:us-east-1:000000000000:secret:app\/key-\w{6}$/)
    for (const SecretId of ['app/key', ARN]) {
      const read = await secretsManager.getSecretValue({ SecretId })
      expect(read).toMatchObject({ SecretString: 'one', Name: 'app/key', VersionId: first })
    }
    await secretsManager.putSecretValue({ SecretId: 'app/key', SecretString: 'two' })
    const read = await secretsManager.getSecretValue({ SecretId: 'app/key' })
    expect(read.SecretString).toBe('two')
  })

  test('rejects the parameters that it does not support, and unknown and existing names', async () => {
    const { secretsManager } = aws
    const bytes = { Name: 'app/key', SecretBinary: Buffer.of(0) }
    await expectError(secretsManager.createSecret(bytes), 'ValidationException')
    const previous = { SecretId: 'app/key', VersionStage: 'AWSPREVIOUS' }
    await expectError(secretsManager.getSecretValue(previous), 'ValidationException')
    const reading = secretsManager.getSecretValue({ SecretId: 'app/key' })
    await expectError(reading, 'ResourceNotFoundException')
    const create = { Name: 'app/key', SecretString: 'one' }
    await secretsManager.createSecret(create)
    await expectError(secretsManager.createSecret(create), 'ResourceExistsException')
  })
})
