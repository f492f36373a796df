import { createPublicKey } from 'node:crypto'
import { importSPKI, jwtVerify } from 'jose'
import { describe, expect, test } from 'vitest'
import { sharedService } from '../support/services/service.ts'

const { call, userJwt } = sharedService()

const publishedKey = async (): Promise<string> =>
  (await call('GET /public-key')).json.data.publicKey

/** Imports the published key the way JOSE libraries take it. */
const verificationKey = async () =>
  await importSPKI(
    `-----BEGIN PUBLIC KEY-----\n${await publishedKey()}\n-----END PUBLIC KEY-----`,
    'ES256',
  )

describe('4.10 Get public key', () => {
  test('D32: returns the base64 of a DER SubjectPublicKeyInfo', async () => {
    const base64 = await publishedKey()
    const der = Buffer.from(base64, 'base64')
    // Standard base64: with its own alphabet and padding, without line breaks.
    expect(base64).toBe(der.toString('base64'))
    const key = createPublicKey({ key: der, format: 'der', type: 'spki' })
    expect(key.asymmetricKeyDetails?.namedCurve).toBe('prime256v1')
    expect(key.export({ format: 'der', type: 'spki' })).toEqual(der)
  })

  test('5: the key verifies user JWTs', async () => {
    const { payload } = await jwtVerify(
      await userJwt({ userId: 42, username: 'tessaly_vane' }),
      await verificationKey(),
    )
    expect(payload).toMatchObject({ sub: '42', username: 'tessaly_vane' })
  })
})
