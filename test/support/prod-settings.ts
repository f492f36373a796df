import { generateKeyPairSync } from 'node:crypto'

/** Settings of a production deployment. */
export const prodSettings = {
  stage: 'prod',
  issuer: 'https://login.example',
  userJwtAudience: 'platform',
  playerTokenAudience: 'games',
  serviceToken: `POLYGON:0x${'a'.repeat(40)}:18`,
  registrationOpen: true,
  loginRoleArn: 'arn:aws:iam::123456789012:role/login',
  alarmEmail: 'operations@studio.example',
}

/** The public key of an external login. */
export const publicKey = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  .publicKey.export({ format: 'der', type: 'spki' })
  .toString('base64')

const { loginRoleArn: _, ...rest } = prodSettings

/** The same settings without a login. */
export const withoutLogin = rest

/** The same settings with an external login. */
export const loginElsewhere = { ...withoutLogin, loginPublicKeys: [publicKey, publicKey] }

/** The same settings with an external login that publishes its keys. */
export const loginWithKeySet = {
  ...withoutLogin,
  loginJwksUrl: 'https://login.example/.well-known/jwks.json',
}

const { issuer: __, userJwtAudience: ___, ...withoutIssuer } = withoutLogin

/** The same settings with two logins elsewhere: one with a key set, and one with public keys. */
export const severalLogins = {
  ...withoutIssuer,
  playerTokenIssuers: ['https://nfts.studio.example'],
  userIds: 'assigned',
  logins: [
    {
      issuer: 'https://login.example',
      jwksUrl: 'https://login.example/.well-known/jwks.json',
      audiences: ['platform'],
    },
    {
      issuer: 'https://wallets.example',
      publicKeys: [publicKey],
      audiences: ['game-1', 'game-2'],
      users: 'wallets',
      userIdClaim: 'account.id',
    },
  ],
}

/** A distribution in front of the API, with everything that can be set. */
export const edge = {
  domain: {
    name: 'api.studio.example',
    certificateArn: 'arn:aws:acm:us-east-1:123456789012:certificate/2c3d',
  },
  webAclArn:
    'arn:aws:wafv2:us-east-1:123456789012:global/webacl/games/a1b2c3d4-5678-90ab-cdef-111122223333',
  priceClass: '100',
  secrets: ['2', '1'],
}

/** Settings of production in which players sign in with their wallets, and with nothing else. */
export const signInSettings = { ...withoutLogin, userIds: 'assigned', edge, walletSignIn: {} }

/** Settings of production with webhooks. */
export const webhookSettings = { ...prodSettings, followedChains: ['POLYGON'], webhooks: {} }

/** Settings of production with a login that publishes its keys, sign-in with wallets and webhooks. */
export const everyKind = {
  ...{ ...loginWithKeySet, userIds: 'assigned', edge, walletSignIn: {} },
  ...{ followedChains: ['POLYGON'], webhooks: {} },
}

/** A domain of the API. */
export const domain = {
  name: 'nfts.studio.example',
  certificateArn: 'arn:aws:acm:eu-central-1:123456789012:certificate/0a1b',
}

/** The ARN of a key that a stack has retained. */
export const retainedKey = 'arn:aws:kms:eu-central-1:123456789012:key/0a1b-2c3d'

/** The ARN of a secret that a stack has retained. */
export const retainedSecret =
  'arn:aws:secretsmanager:eu-central-1:123456789012:secret:IndexerKey0A1B2C3D-4e5f-a1B2c3'

/** A backup in another account. */
export const backup = {
  vault: 'player-nfts',
  copyTo: 'arn:aws:backup:eu-central-1:210987654321:backup-vault:player-nfts',
}

/** Every feature that adds resources to a stack, each at its largest. */
export const everything = {
  ...prodSettings,
  domain,
  executeApiEndpoint: false,
  edge: { ...edge, secrets: ['3', '2', '1'] },
  dashboard: true,
  playerTokenKeys: ['5', '4', '3', '2', '1'],
  userJwtKeys: ['5', '4', '3', '2', '1'],
  userIds: 'assigned',
  registrationOpen: false,
  trafficShift: 'canary',
  followedChains: ['POLYGON', 'BSC'],
  silenceAlarmMinutes: 60,
  alarmUrl: 'https://pager.example/sns',
  alarmTopicArn: 'arn:aws:sns:eu-central-1:123456789012:pager',
  monthlyBudget: 100,
  backup,
  tableKeyArn: retainedKey,
  tags: { 'cost-center': 'games' },
  logGroupPrefix: '/games/nfts/prod',
  walletSignIn: {},
  webhooks: { secrets: ['3', '2', '1'] },
}
