import { generateKeyPairSync } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { coveredChains } from '../../lib/domain/nft/chain.ts'
import {
  followedChains,
  InvalidLocalSetting,
  readLocalSettings,
  withSampleDefaults,
} from '../settings.ts'

const address = `0x${'a'.repeat(40)}`

const publicKey = () => {
  const { publicKey: key } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  return key.export({ format: 'der', type: 'spki' }).toString('base64')
}

describe('the settings of npm start', () => {
  test('have defaults, which also apply to empty variables', () => {
    const defaults = readLocalSettings({})
    expect(defaults).toMatchObject({ port: 3000, dataDir: '.local', region: 'us-east-1' })
    expect(defaults.passed.ALLOWLIST_CHAINS).toBe('POLYGON,BSC')
    const names = ['PORT', 'DATA_DIR', 'INDEXER_URL', 'ALLOWLIST_CHAINS', 'SERVICE_TOKEN']
    expect(readLocalSettings(Object.fromEntries(names.map((name) => [name, ''])))).toEqual(defaults)
  })

  test('D47: LIMITS=deployment sets the limits that are not set to those of a deployment', () => {
    const { passed } = readLocalSettings({ LIMITS: 'deployment', NFTS_PER_PRODUCT: '5' })
    expect(passed).toMatchObject({
      INDEXER_CALLS_PER_PRODUCT_AND_MINUTE: '75',
      INDEXER_CALLS_PER_PRODUCT_AND_DAY: '520',
      WEBHOOK_TESTS_PER_PRODUCT_AND_HOUR: '10',
      WEBHOOK_TESTS_PER_HOST_AND_HOUR: '60',
      WEBHOOK_REPLAYS_PER_HOUR: '4',
      NFTS_PER_PRODUCT: '5',
    })
    expect(readLocalSettings({}).passed).not.toHaveProperty('NFTS_PER_PRODUCT')
  })

  test.each([
    { PORT: '0' },
    { PORT: '65535' },
    { INDEXER_URL: 'http://127.0.0.1:8080/indexer' },
    { AWS_ENDPOINT_URL: 'aws' },
    { AWS_ENDPOINT_URL: 'http://localhost:4566' },
    { ALLOWLIST_CHAINS: coveredChains.join(', ') },
    { SERVICE_TOKEN: `BSC:${address}:0` },
    { SERVICE_TOKEN: `AMOY:${address}:77` },
    ...coveredChains.map((chain) => ({ SERVICE_TOKEN: `${chain}:${address}:18` })),
    { SERVICE_TOKEN: `AMOY:${address}:6:USD₮0` },
    { USER_JWT_JWKS_URL: 'http://127.0.0.1:8080/jwks', USER_JWT_ALGORITHMS: 'RS256, EdDSA' },
    { USER_ID_CLAIM: 'https://studio.example/id', USER_IDS: 'assigned' },
    { USER_JWT_AUDIENCE: 'player-nfts-local', PLAYER_TOKEN_AUDIENCE: 'player-nfts-local-2' },
  ])('%j is valid', (variables) => {
    expect(() => readLocalSettings(variables)).not.toThrow()
  })

  test.each<Record<string, string>>([
    { PORT: '65536' },
    { PORT: '-1' },
    { PORT: 'http' },
    { PORT: ' ' },
    { LIMITS: 'some' },
    { PORT: '0x50' },
    { INDEXER_URL: 'localhost' },
    { INDEXER_URL: 'ftp://localhost' },
    { AWS_ENDPOINT_URL: 'localstack' },
    { ALLOWLIST_CHAINS: 'POLYGON,,BSC' },
    { SERVICE_TOKEN: address },
    { SERVICE_TOKEN: `POLYGON:${address}:78` },
    { SERVICE_TOKEN: `POLYGON:${address}:1:` },
    { SERVICE_TOKEN: `POLYGON:${address}:1:W ICK` },
    { SERVICE_TOKEN: `POLYGON:${address}:1:${'W'.repeat(33)}` },
    { SERVICE_TOKEN: 'POLYGON:0x12:18' },
    { USER_JWT_ALGORITHM: 'none' },
    { USER_JWT_JWKS_URL: 'login.example/jwks' },
    { IPFS_GATEWAY: 'ipfs.io' },
    { ARWEAVE_GATEWAY: 'ar://x' },
    { PLAYER_TOKEN_AUDIENCE: 'player-nfts-local-platform' },
  ])('%j is rejected in one line that names the variable', (variables) => {
    const [name] = Object.keys(variables)
    const read = () => readLocalSettings(variables)
    expect(read).toThrow(InvalidLocalSetting)
    expect(read).toThrow(new RegExp(`^${name} must [^\\n]+\\.$`))
  })

  test.each([
    [
      'D40',
      { USER_JWT_PUBLIC_KEYS: publicKey(), USER_JWT_JWKS_URL: 'https://login.example/' },
      'USER_JWT_PUBLIC_KEYS and USER_JWT_JWKS_URL must not both be set.',
    ],
    [
      'D23',
      { USER_JWT_AUDIENCE: 'player-nfts-local-games' },
      'PLAYER_TOKEN_AUDIENCE must differ from USER_JWT_AUDIENCE.',
    ],
  ])('%s: rules between settings apply, also to defaults: %j', (_, variables, fault) => {
    expect(() => readLocalSettings(variables)).toThrow(fault)
  })

  describe('D90: LOGINS', () => {
    const login = (name: string, more: object = {}) => ({
      issuer: `https://${name}.example`,
      audiences: ['game'],
      jwksUrl: `http://127.0.0.1:8080/${name}`,
      ...more,
    })
    const read = (logins: unknown, more: Record<string, string> = {}) =>
      readLocalSettings({
        LOGINS: typeof logins === 'string' ? logins : JSON.stringify(logins),
        ...more,
      }).passed

    test('is the same JSON as of a deployment, beside the default issuer of player tokens', () => {
      const two = [login('a'), login('b', { publicKeys: [publicKey()], jwksUrl: undefined })]
      const passed = read(two)
      expect(JSON.parse(`${passed.LOGINS}`)).toEqual(JSON.parse(JSON.stringify(two)))
      expect(passed).toMatchObject({ ISSUER: 'player-nfts-local', USER_IDS: 'assigned' })
      expect(read([login('a')]).USER_IDS).toBe('subject')
    })

    test.each<[string, unknown, Record<string, string>, string]>([
      ['text', '[{', {}, 'LOGINS must be a list of 1 to 10 logins, in JSON'],
      [
        'a field twice',
        '[{"issuer":"a","issuer":"b","audiences":["c"],"jwksUrl":"http://127.0.0.1/"}]',
        {},
        'LOGINS.0.issuer must not be there more than once',
      ],
      [
        'USER_JWT_JWKS_URL',
        [login('a')],
        { USER_JWT_JWKS_URL: 'http://127.0.0.1/' },
        'USER_JWT_JWKS_URL must be left out with LOGINS, which has it for each login',
      ],
      [
        'USER_IDS',
        [login('a'), login('b')],
        { USER_IDS: 'subject' },
        'USER_IDS must be assigned with more than one login, because two logins never share a user id: a deployment that has players with subject gives all of them new ids',
      ],
    ])('with %s is refused in one line', (_, logins, more, fault) => {
      expect(() => read(logins, more)).toThrow(new InvalidLocalSetting(`${fault}.`))
    })
  })
})

describe('D153: what is kept', () => {
  const kept = (variables: Record<string, string>) => {
    const { passed } = withSampleDefaults(readLocalSettings(variables))
    const { SETTLING_SECONDS, KEPT_FROM_READS, OWNERS_LAG_SECONDS } = passed
    return [SETTLING_SECONDS, KEPT_FROM_READS, OWNERS_LAG_SECONDS]
  }

  test('begins with the first read in the sample world, whose indexer is never behind', () => {
    expect(kept({})).toEqual(['10', '1', '10'])
    expect(kept({ SETTLING_SECONDS: '20', KEPT_FROM_READS: '3' })).toEqual(['20', '3', '20'])
    expect(kept({ OWNERS_LAG_SECONDS: '0' })).toEqual(['10', '1', '0'])
  })

  test('has the values of a deployment with another indexer', () => {
    expect(kept({ ALCHEMY_API_KEY: 'k' })).toEqual([undefined, undefined, undefined])
  })
})

describe('FOLLOWED_CHAINS', () => {
  const followed = (variables: Record<string, string>) =>
    followedChains(withSampleDefaults(readLocalSettings(variables)))

  test('has the chains of the sample world by default', () => {
    expect(followed({})).toEqual(['POLYGON', 'BSC'])
    expect(followed({ FOLLOWED_CHAINS: '' })).toEqual(['POLYGON', 'BSC'])
    expect(followedChains(readLocalSettings({}))).toEqual([])
  })

  test.each([{ INDEXER_URL: 'http://127.0.0.1:8080' }, { ALCHEMY_API_KEY: 'k' }])(
    'has no chain by default with %j, where following costs units',
    (variables) => {
      expect(followed(variables)).toEqual([])
      expect(followed({ ...variables, FOLLOWED_CHAINS: 'BASE' })).toEqual(['BASE'])
    },
  )

  test('has the named chains, or none', () => {
    expect(followed({ FOLLOWED_CHAINS: 'AMOY, POLYGON' })).toEqual(['AMOY', 'POLYGON'])
    expect(followed({ FOLLOWED_CHAINS: 'none' })).toEqual([])
    expect(() => followed({ FOLLOWED_CHAINS: 'POLYGON,none' })).toThrow(InvalidLocalSetting)
    expect(() => followed({ FOLLOWED_CHAINS: 'MUMBAI' })).toThrow('MUMBAI was shut down')
  })
})
