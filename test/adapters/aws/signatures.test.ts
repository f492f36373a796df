import { Hash } from '@smithy/core/serde'
import { SignatureV4 } from '@smithy/signature-v4'
import fc from 'fast-check'
import { afterEach, expect, test, vi } from 'vitest'
import { signerOf } from '../../../lib/adapters/aws/aws-signer.ts'

afterEach(() => void vi.useRealTimers())

const word = fc.stringMatching(/^[!-~]{1,40}$/)

const credentials = fc.record(
  {
    accessKeyId: word,
    secretAccessKey: fc.string({ minLength: 1, unit: 'grapheme' }),
    sessionToken: word,
  },
  { requiredKeys: ['accessKeyId', 'secretAccessKey'] },
)

test('D94: signatures are those of the SDK, on each day and for each text', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom('dynamodb', 'kms', 'sqs', 'secretsmanager'),
      fc.constantFrom('eu-central-1', 'us-gov-west-1', 'cn-north-1'),
      fc.constantFrom('https://dynamodb.eu-central-1.amazonaws.com', 'http://127.0.0.1:8000'),
      credentials,
      fc.string({ unit: 'grapheme' }),
      fc.array(fc.integer({ min: 0, max: 4_000_000_000_000 }), { minLength: 1, maxLength: 3 }),
      async (service, region, address, access, body, moments) => {
        const endpoint = new URL(address)
        const signer = signerOf(service, region, endpoint, access)
        const sdk = new SignatureV4({
          service,
          region,
          credentials: access,
          sha256: Hash.bind(null, 'sha256'),
          applyChecksum: false,
        })
        for (const now of moments) {
          vi.useFakeTimers({ toFake: ['Date'], now })
          const headers = { 'content-type': 'application/x-amz-json-1.0', 'x-amz-target': 'A.B' }
          const { authorization, ...sent } = signer.headersOf({ headers, body })
          const signed = await sdk.sign(
            {
              method: 'POST',
              protocol: endpoint.protocol,
              hostname: endpoint.hostname,
              path: '/',
              headers: {
                ...headers,
                host: endpoint.host,
                'content-length': `${Buffer.byteLength(body)}`,
              },
              body,
            },
            { signingDate: new Date(now) },
          )
          expect({ ...sent, authorization }).toEqual(signed.headers)
        }
      },
    ),
  )
})
