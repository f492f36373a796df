import { createPublicKey, generateKeyPairSync } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { settingsWith } from './new-container.ts'

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
  const parts: Parts = await settingsWith(variables)
  return parts[part]() as ReturnType<Parts[Part]>
}

type Settings = Awaited<ReturnType<typeof settingsWith>>
type Parts = {
  [Name in keyof Settings as Settings[Name] extends () => unknown ? Name : never]: Settings[Name]
}

describe('the settings of the functions', () => {
  const jwksUrl = 'https://login.example/jwks.json'
  const tokens = { ISSUER: 'login', USER_JWT_AUDIENCE: 'a', PLAYER_TOKEN_AUDIENCE: 'b' }
  const token = { chain: 'BSC', address }
  const claims = { issuer: 'login', userJwtAudience: 'a', playerTokenAudience: 'b' }

  test.each<[keyof Parts, Record<string, string>, object]>([
    [
      'queueSettings',
      { QUEUE_URL: 'https://sqs.example/queue', SWEEP_DELAY_SECONDS: '' },
      { queueUrl: 'https://sqs.example/queue', sweepDelaySeconds: 60 },
    ],
    ['gatewaySettings', {}, { ipfs: 'https://ipfs.io/ipfs/', arweave: 'https://arweave.net/' }],
    [
      'gatewaySettings',
      { IPFS_GATEWAY: 'https://g.example/ipfs' },
      { ipfs: 'https://g.example/ipfs/', arweave: 'https://arweave.net/' },
    ],
    ['allowlistSettings', {}, { openChains: ['POLYGON', 'BSC'] }],
    ['allowlistSettings', { ALLOWLIST_CHAINS: 'AMOY, BSC' }, { openChains: ['AMOY', 'BSC'] }],
    ['serviceTokenSettings', { SERVICE_TOKEN: `BSC:${address}:6` }, { token, decimals: 6 }],
    [
      'serviceTokenSettings',
      { SERVICE_TOKEN: `BSC:${address}:6:1INCH` },
      { token, decimals: 6, symbol: '1INCH' },
    ],
    [
      'indexerSettings',
      { INDEXER_SECRET_ARN: 'arn', INDEXER_URL: 'http://i.example//' },
      { secretArn: 'arn', baseUrl: 'http://i.example' },
    ],
    [
      'userJwtKeySettings',
      { USER_JWT_PUBLIC_KEYS: `${key}, ${key}` },
      { publicKeys: [key, key], algorithms: ['ES256'] },
    ],
    [
      'userJwtKeySettings',
      { USER_JWT_JWKS_URL: jwksUrl },
      { jwksUrl, algorithms: ['RS256', 'ES256'] },
    ],
    ['tokenSettings', tokens, { ...claims, playerTokenIssuers: ['login'] }],
    [
      'tokenSettings',
      { ...tokens, PLAYER_TOKEN_ISSUERS: 'nfts, login' },
      { ...claims, playerTokenIssuers: ['nfts', 'login'] },
    ],
    [
      'userJwtClaimSettings',
      { WALLETS_CLAIM: 'game.wallets', WALLET_CHAINS: 'POLYGON, BASE' },
      {
        ...{ userIdClaim: 'sub', usernameClaim: 'username', walletsClaim: 'game.wallets' },
        ...{ userIds: 'subject', maxLifetimeSeconds: 86_400, walletChains: ['POLYGON', 'BASE'] },
      },
    ],
  ])('%s of %j are %j', async (part, variables, values) => {
    expect(await read(part, variables)).toEqual(values)
  })

  const oneSource =
    'exactly one of USER_JWT_KEY_ARNS, USER_JWT_PUBLIC_KEYS and USER_JWT_JWKS_URL must be set'

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
    ['userJwtKeySettings', {}, oneSource],
    ['userJwtKeySettings', { USER_JWT_KEY_ARNS: 'arn', USER_JWT_PUBLIC_KEYS: key }, oneSource],
    [
      'userJwtKeySettings',
      { USER_JWT_KEY_ARNS: 'arn', USER_JWT_JWKS_URL: 'https://login.example/jwks.json' },
      oneSource,
    ],
    [
      'userJwtKeySettings',
      { USER_JWT_JWKS_URL: 'https://name:word@login.example/', USER_JWT_ALGORITHMS: 'RS256,HS256' },
      'USER_JWT_JWKS_URL must not contain a user name, a password or a fragment; USER_JWT_ALGORITHMS must be one of ES256, ES384, ES512, RS256, RS384, RS512, PS256, PS384, PS512, EdDSA',
    ],
    [
      'userJwtKeySettings',
      { USER_JWT_JWKS_URL: 'https://login.example/#keys' },
      'USER_JWT_JWKS_URL must not contain a user name, a password or a fragment',
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
    const { tableSettings } = await settingsWith(variables)
    const settings = tableSettings()
    variables.TABLE_NAME = 'second'
    expect(tableSettings()).toBe(settings)
    expect(settings).toEqual({ tableName: 'first', isInMaintenance: false })
  })
})
