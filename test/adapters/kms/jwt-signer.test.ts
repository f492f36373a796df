import { createPublicKey } from 'node:crypto'
import { GetPublicKeyCommand, KMSClient } from '@aws-sdk/client-kms'
import { compactVerify } from 'jose'
import { expect, test } from 'vitest'
import { kmsJwtSigner } from '../../../lib/adapters/kms/jwt-signer.ts'
import { startTestAws } from '../../support/aws/test-aws.ts'
import { signingClient } from '../../support/tokens/rotated-keys.ts'
import { atFileEnd } from '../../support/vitest/at-file-end.ts'

const { access, resources, proxy } = await startTestAws()
const kms = new KMSClient({ ...access, endpoint: proxy.url })
atFileEnd(() => kms.destroy())
const keyId = resources.playerTokenKeyArn
const { PublicKey = new Uint8Array() } = await kms.send(new GetPublicKeyCommand({ KeyId: keyId }))
const publicKey = createPublicKey({ key: Buffer.from(PublicKey), format: 'der', type: 'spki' })
const signer = kmsJwtSigner(signingClient(kms), keyId, async () => publicKey)

test('D23: KMS receives a JWT of up to 4,096 bytes as RAW text, and the digest of a longer JWT', async () => {
  const seen = new Map<number, string>()
  for (let length = 2_900; length < 3_100; length += 1) {
    const jwt = await signer.sign({ typ: 'JWT' }, { text: 'x'.repeat(length) })
    const { payload } = await compactVerify(jwt, publicKey)
    expect(JSON.parse(Buffer.from(payload).toString())).toEqual({ text: 'x'.repeat(length) })
    const { MessageType, Message } = proxy.requests.at(-1)?.body ?? {}
    const signingInput = jwt.slice(0, jwt.lastIndexOf('.'))
    seen.set(signingInput.length, MessageType)
    if (MessageType === 'RAW') expect(Buffer.from(Message, 'base64').toString()).toBe(signingInput)
  }
  const types = [...seen].map(([bytes, type]) => [bytes <= 4_096, type])
  expect(new Set(types.map(String))).toEqual(new Set(['true,RAW', 'false,DIGEST']))
})
