import { createPublicKey, generateKeyPairSync } from 'node:crypto'
import { afterEach, describe, expect, test, vi } from 'vitest'

const spki = (namedCurve: string) =>
  generateKeyPairSync('ec', { namedCurve })
    .publicKey.export({ format: 'der', type: 'spki' })
    .toString('base64')

const key = spki('P-256')
const address = `0x${'a'.repeat(40)}`

/** Reads a part of the settings as a new container does, from exactly these variables. */
async function read<Part extends keyof Parts>(
  part: Part,
  variables: Record<string, string>,
): Promise<ReturnType<Parts[Part]>> {
  vi.stubGlobal('process', { ...process, env: variables })
  vi.resetModules()
  const parts: Parts = {
    ...(await import('../../lib/settings/indexer.ts')),
    ...(await import('../../lib/settings/limits.ts')),
    ...(await import('../../lib/settings/player-tokens.ts')),
    ...(await import('../../lib/settings/resources.ts')),
    ...(await import('../../lib/settings/user-jwts.ts')),
  }
  return parts[part]() as ReturnType<Parts[Part]>
}

type Subjects = typeof import('../../lib/settings/indexer.ts') &
  typeof import('../../lib/settings/limits.ts') &
  typeof import('../../lib/settings/player-tokens.ts') &
  typeof import('../../lib/settings/resources.ts') &
  typeof import('../../lib/settings/user-jwts.ts')
type Parts = {
  [Name in keyof Subjects as Subjects[Name] extends () => unknown ? Name : never]: Subjects[Name]
}

afterEach(() => {
  vi.unstubAllGlobals()
})

describe('the settings of the functions', () => {
  test('optional settings have defaults, also if their variables are empty', async () => {
    const queue = { QUEUE_URL: 'https://sqs.example/queue', SWEEP_DELAY_SECONDS: '' }
    expect(await read('queueSettings', queue)).toEqual({
      queueUrl: 'https://sqs.example/queue',
      sweepDelaySeconds: 60,
    })
    expect(await read('gatewaySettings', {})).toEqual({
      ipfs: 'https://ipfs.io/ipfs/',
      arweave: 'https://arweave.net/',
    })
    expect(await read('allowlistSettings', {})).toEqual({ openChains: ['POLYGON', 'BSC'] })
  })

  test('variables are read into the values that the functions use', async () => {
    expect(await read('allowlistSettings', { ALLOWLIST_CHAINS: 'AMOY, BSC' })).toEqual({
      openChains: ['AMOY', 'BSC'],
    })
    expect(await read('serviceTokenSettings', { SERVICE_TOKEN: `BSC:${address}:6` })).toEqual({
      token: { chain: 'BSC', address },
      decimals: 6,
    })
    expect(await read('serviceTokenSettings', { SERVICE_TOKEN: `BSC:${address}:6:1INCH` })).toEqual(
      {
        token: { chain: 'BSC', address },
        decimals: 6,
        symbol: '1INCH',
      },
    )
    expect(
      await read('indexerSettings', {
        INDEXER_SECRET_ARN: 'arn',
        INDEXER_URL: 'http://i.example//',
      }),
    ).toEqual({ secretArn: 'arn', baseUrl: 'http://i.example' })
    expect(await read('gatewaySettings', { IPFS_GATEWAY: 'https://g.example/ipfs' })).toMatchObject(
      { ipfs: 'https://g.example/ipfs/' },
    )
    expect(await read('userJwtKeySettings', { USER_JWT_PUBLIC_KEYS: `${key}, ${key}` })).toEqual({
      keyArns: undefined,
      publicKeys: [key, key],
      jwksUrl: undefined,
      algorithms: ['ES256'],
    })
    const jwksUrl = 'https://login.example/jwks.json'
    expect(await read('userJwtKeySettings', { USER_JWT_JWKS_URL: jwksUrl })).toEqual({
      keyArns: undefined,
      publicKeys: undefined,
      jwksUrl,
      algorithms: ['RS256', 'ES256'],
    })
    const tokens = { ISSUER: 'login', USER_JWT_AUDIENCE: 'a', PLAYER_TOKEN_AUDIENCE: 'b' }
    expect(await read('tokenSettings', tokens)).toMatchObject({ playerTokenIssuers: ['login'] })
    const own = { ...tokens, PLAYER_TOKEN_ISSUERS: 'nfts, login' }
    expect(await read('tokenSettings', own)).toMatchObject({
      issuer: 'login',
      playerTokenIssuers: ['nfts', 'login'],
    })
    expect(await read('userJwtClaimSettings', { WALLETS_CLAIM: 'game.wallets' })).toEqual({
      userIdClaim: 'sub',
      usernameClaim: 'username',
      walletsClaim: 'game.wallets',
      userIds: 'subject',
      maxLifetimeSeconds: 86_400,
    })
  })

  test.each<[keyof Parts, Record<string, string>, string]>([
    ['tableSettings', {}, 'TABLE_NAME must be set'],
    [
      'queueSettings',
      { QUEUE_URL: 'queue', SWEEP_DELAY_SECONDS: '901' },
      'QUEUE_URL must be a URL; SWEEP_DELAY_SECONDS must be a whole number from 1 to 900',
    ],
    [
      'tokenSettings',
      { ISSUER: 'issuer', USER_JWT_AUDIENCE: 'same', PLAYER_TOKEN_AUDIENCE: 'same' },
      'PLAYER_TOKEN_AUDIENCE must differ from USER_JWT_AUDIENCE',
    ],
    [
      'userJwtKeySettings',
      {},
      'exactly one of USER_JWT_KEY_ARNS, USER_JWT_PUBLIC_KEYS and USER_JWT_JWKS_URL must be set',
    ],
    [
      'userJwtKeySettings',
      { USER_JWT_KEY_ARNS: 'arn', USER_JWT_PUBLIC_KEYS: key },
      'exactly one of USER_JWT_KEY_ARNS, USER_JWT_PUBLIC_KEYS and USER_JWT_JWKS_URL must be set',
    ],
    [
      'userJwtKeySettings',
      { USER_JWT_KEY_ARNS: 'arn', USER_JWT_JWKS_URL: 'https://login.example/jwks.json' },
      'exactly one of USER_JWT_KEY_ARNS, USER_JWT_PUBLIC_KEYS and USER_JWT_JWKS_URL must be set',
    ],
    [
      'userJwtKeySettings',
      { USER_JWT_JWKS_URL: 'https://name:word@login.example/', USER_JWT_ALGORITHMS: 'RS256,HS256' },
      'USER_JWT_JWKS_URL must not contain a user name, a password or a fragment; USER_JWT_ALGORITHMS must be one of ES256, ES384, ES512, RS256, RS384, RS512, PS256, PS384, PS512, EdDSA',
    ],
    [
      'userJwtClaimSettings',
      {
        USER_ID_CLAIM: 'user..id',
        USERNAME_CLAIM: ' ',
        USER_IDS: 'random',
        USER_JWT_MAX_LIFETIME_SECONDS: '59',
      },
      'USER_ID_CLAIM must not have an empty part between dots; USERNAME_CLAIM must not be empty; USER_IDS must be one of subject, assigned; USER_JWT_MAX_LIFETIME_SECONDS must be a whole number from 60 to 31536000',
    ],
    [
      'userJwtKeySettings',
      { USER_JWT_PUBLIC_KEYS: `${key},${spki('P-384')}` },
      'USER_JWT_PUBLIC_KEYS must be public keys for ES256 (USER_JWT_ALGORITHM), each as the base64 of its DER SubjectPublicKeyInfo',
    ],
    [
      'playerTokenVerificationSettings',
      { PLAYER_TOKEN_KEY_ARNS: 'one,two', PLAYER_TOKEN_PUBLIC_KEYS: `${key},${spki('P-384')}` },
      'PLAYER_TOKEN_PUBLIC_KEYS must be public keys for ES256, each as the base64 of its DER SubjectPublicKeyInfo',
    ],
    [
      'playerTokenVerificationSettings',
      { PLAYER_TOKEN_KEY_ARNS: 'one,two', PLAYER_TOKEN_PUBLIC_KEYS: key },
      'PLAYER_TOKEN_PUBLIC_KEYS must have as many keys as PLAYER_TOKEN_KEY_ARNS',
    ],
    [
      'allowlistSettings',
      { ALLOWLIST_CHAINS: 'polygon,bsc' },
      'ALLOWLIST_CHAINS must be one of AMOY, ARBITRUM, ARBITRUM_SEPOLIA, AVALANCHE, BASE, BASE_SEPOLIA, BSC, ETHEREUM, FUJI, OPTIMISM, OPTIMISM_SEPOLIA, POLYGON, RONIN, SAIGON, SEPOLIA: "polygon" is not the name of a chain; ALLOWLIST_CHAINS must be one of AMOY, ARBITRUM, ARBITRUM_SEPOLIA, AVALANCHE, BASE, BASE_SEPOLIA, BSC, ETHEREUM, FUJI, OPTIMISM, OPTIMISM_SEPOLIA, POLYGON, RONIN, SAIGON, SEPOLIA: "bsc" is not the name of a chain',
    ],
    [
      'allowlistSettings',
      { ALLOWLIST_CHAINS: 'BSC,BSC_TESTNET' },
      'ALLOWLIST_CHAINS must be one of AMOY, ARBITRUM, ARBITRUM_SEPOLIA, AVALANCHE, BASE, BASE_SEPOLIA, BSC, ETHEREUM, FUJI, OPTIMISM, OPTIMISM_SEPOLIA, POLYGON, RONIN, SAIGON, SEPOLIA: BSC_TESTNET is not covered by the indexer',
    ],
    [
      'serviceTokenSettings',
      { SERVICE_TOKEN: `MUMBAI:${address}:6` },
      'SERVICE_TOKEN must have one of AMOY, ARBITRUM, ARBITRUM_SEPOLIA, AVALANCHE, BASE, BASE_SEPOLIA, BSC, ETHEREUM, FUJI, OPTIMISM, OPTIMISM_SEPOLIA, POLYGON, RONIN, SAIGON, SEPOLIA: MUMBAI was shut down',
    ],
  ])('%s of %j throw an error that names every variable', async (part, variables, faults) => {
    await expect(read(part, variables)).rejects.toThrow(new Error(`Invalid settings: ${faults}`))
  })

  const weakKey =
    'Invalid settings: USER_JWT_PUBLIC_KEYS must be public keys for RS256 (USER_JWT_ALGORITHM) of 2048 to 8192 bits, with an odd exponent over 1, each as the base64 of its DER SubjectPublicKeyInfo'

  /** An RSA public key in the form of the setting. Some exponents cannot be generated, but can be published. */
  const rsa = (modulusLength: number, e?: string) => {
    const { publicKey } = generateKeyPairSync('rsa', { modulusLength })
    const jwk = { ...publicKey.export({ format: 'jwk' }), ...(e && { e }) }
    const key = createPublicKey({ key: jwk, format: 'jwk' })
    return key.export({ format: 'der', type: 'spki' }).toString('base64')
  }

  test.each<[string, number, string?]>([
    ['1024 bits', 1024],
    ['2047 bits', 2047],
    ['the exponent 1', 2048, 'AQ'],
    ['the exponent 2', 2048, 'Ag'],
    ['an even exponent', 2048, 'AQAA'],
  ])('D53: an RSA key of a login with %s is refused', async (_, bits, exponent) => {
    const variables = { USER_JWT_ALGORITHM: 'RS256', USER_JWT_PUBLIC_KEYS: rsa(bits, exponent) }
    await expect(read('userJwtKeySettings', variables)).rejects.toThrow(new Error(weakKey))
  })

  test('D53: an RSA key of 2048 bits is accepted', async () => {
    const variables = { USER_JWT_ALGORITHM: 'PS256', USER_JWT_PUBLIC_KEYS: rsa(2048) }
    expect(await read('userJwtKeySettings', variables)).toMatchObject({ algorithms: ['PS256'] })
  })

  test('D74: the public keys of player tokens are those of the deployment, or none', async () => {
    const keysWith = (PLAYER_TOKEN_PUBLIC_KEYS: string) =>
      read('playerTokenVerificationSettings', {
        PLAYER_TOKEN_KEY_ARNS: 'one,two',
        PLAYER_TOKEN_PUBLIC_KEYS,
      })
    const keyArns = ['one', 'two']
    expect(await keysWith(`${key},${key}`)).toEqual({ keyArns, publicKeys: [key, key] })
    expect(await keysWith('')).toEqual({ keyArns, publicKeys: undefined })
  })

  test('a part is read once', async () => {
    const variables = { TABLE_NAME: 'first' }
    vi.stubGlobal('process', { ...process, env: variables })
    vi.resetModules()
    const { tableSettings } = await import('../../lib/settings/resources.ts')
    const settings = tableSettings()
    variables.TABLE_NAME = 'second'
    expect(tableSettings()).toBe(settings)
    expect(settings).toEqual({ tableName: 'first', isInMaintenance: false })
  })
})
