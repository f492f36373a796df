import { createPrivateKey, createPublicKey } from 'node:crypto'
import { p256 } from '@noble/curves/nist.js'
import * as v from 'valibot'
import type { Entries } from '../entries.ts'
import { AwsError, accountId, action, blob, type Service } from '../protocol.ts'
import { openStoredValue } from '../stored-value.ts'
import { addAlias, addKey, findKey, type Key, type Keys } from './stored-keys.ts'

const keyId = v.pipe(v.string(), v.minLength(1), v.maxLength(2048))
const ofKey = v.object({ KeyId: keyId })
const createKeyInput = v.object({
  KeySpec: v.optional(v.string(), 'SYMMETRIC_DEFAULT'),
  KeyUsage: v.optional(v.string(), 'ENCRYPT_DECRYPT'),
})
const createAliasInput = v.object({
  AliasName: v.pipe(v.string(), v.maxLength(256), v.regex(/^alias\/(?!aws\/)[\w/-]+$/)),
  TargetKeyId: keyId,
})
const signInput = v.object({
  KeyId: keyId,
  Message: v.pipe(blob, v.minLength(1), v.maxLength(4096)),
  MessageType: v.optional(v.picklist(['RAW', 'DIGEST']), 'RAW'),
  SigningAlgorithm: v.string(),
})

type CreateKeyInput = v.InferOutput<typeof createKeyInput>
type SignInput = v.InferOutput<typeof signInput>

/**
 * KMS for keys with the spec ECC_NIST_P256 and the usage SIGN_VERIFY, kept in entries with their private keys.
 * Callers identify keys by key id, key ARN, alias name or alias ARN, in any region.
 */
export async function openKms(entries: Entries): Promise<Service> {
  const keys: Keys = await openStoredValue(entries, 'kms', { keys: [], aliases: [] })
  return {
    prefix: 'TrentService',
    contentType: 'application/x-amz-json-1.1',
    actions: {
      CreateKey: action(createKeyInput, async (input, call) => {
        checkKeyInput(input)
        return { KeyMetadata: metadata(await addKey(keys, call)) }
      }),
      DescribeKey: action(ofKey, ({ KeyId }) => ({ KeyMetadata: metadata(findKey(keys, KeyId)) })),
      CreateAlias: action(createAliasInput, ({ AliasName, TargetKeyId }, call) =>
        addAlias(keys, AliasName, TargetKeyId, call),
      ),
      ListAliases: action(v.object({}), () => listAliases(keys)),
      GetPublicKey: action(ofKey, ({ KeyId }) => publicKeyOf(findKey(keys, KeyId))),
      Sign: action(signInput, (input) => signMessage(findKey(keys, input.KeyId), input)),
    },
  }
}

const algorithm = { SigningAlgorithm: 'ECDSA_SHA_256' }
const specification = {
  KeySpec: 'ECC_NIST_P256',
  CustomerMasterKeySpec: 'ECC_NIST_P256',
  KeyUsage: 'SIGN_VERIFY',
  SigningAlgorithms: [algorithm.SigningAlgorithm],
}

function checkKeyInput({ KeySpec, KeyUsage }: CreateKeyInput): void {
  if (KeySpec === specification.KeySpec && KeyUsage === specification.KeyUsage) return
  const message = `This endpoint has only keys of ECC_NIST_P256 to SIGN_VERIFY, not of ${KeySpec} to ${KeyUsage}`
  throw new AwsError('UnsupportedOperationException', message)
}

function metadata({ keyId, arn, createdAt }: Key) {
  return {
    AWSAccountId: accountId,
    KeyId: keyId,
    Arn: arn,
    CreationDate: createdAt / 1000,
    Enabled: true,
    KeyState: 'Enabled',
    KeyManager: 'CUSTOMER',
    Origin: 'AWS_KMS',
    MultiRegion: false,
    ...specification,
  }
}

/** All aliases, on one page. */
const listAliases = ({ value: { aliases } }: Keys) => ({
  Aliases: aliases.map(({ name, arn, keyId, createdAt }) => ({
    AliasName: name,
    AliasArn: arn,
    TargetKeyId: keyId,
    CreationDate: createdAt / 1000,
    LastUpdatedDate: createdAt / 1000,
  })),
  Truncated: false,
})

function publicKeyOf({ arn, privateKeyPem }: Key) {
  const spki = createPublicKey(privateKeyPem).export({ type: 'spki', format: 'der' })
  return { KeyId: arn, PublicKey: spki.toString('base64'), ...specification }
}

function signMessage({ arn, privateKeyPem }: Key, input: SignInput) {
  checkSignInput(input)
  // The signatures of KMS: DER, low and high s, of the SHA-256 digest of a RAW message or of the given DIGEST.
  const form = { format: 'der', lowS: false, prehash: input.MessageType === 'RAW' } as const
  const options = { ...form, extraEntropy: true }
  const signature = p256.sign(input.Message, scalarOf(privateKeyPem), options)
  return { KeyId: arn, ...algorithm, Signature: Buffer.from(signature).toString('base64') }
}

const scalarOf = (privateKeyPem: string): Uint8Array =>
  Buffer.from(createPrivateKey(privateKeyPem).export({ format: 'jwk' }).d ?? '', 'base64url')

function checkSignInput({ Message, MessageType, SigningAlgorithm }: SignInput): void {
  if (SigningAlgorithm !== algorithm.SigningAlgorithm) {
    const message = `Algorithm ${SigningAlgorithm} is incompatible with key spec ECC_NIST_P256.`
    throw new AwsError('ValidationException', message)
  }
  if (MessageType === 'DIGEST' && Message.length !== 32) {
    const message = 'Digest is invalid length for algorithm ECDSA_SHA_256.'
    throw new AwsError('ValidationException', message)
  }
}
