import { createPublicKey, randomBytes } from 'node:crypto'
import { coveredChains } from '../../lib/domain/nft/chain.ts'
import {
  everything,
  loginWithKeySet,
  prodSettings,
  retainedKey,
  retainedSecret,
  severalLogins,
  signInSettings,
  webhookSettings,
  withoutLogin,
} from './prod-settings.ts'

/** The base64 of a public RSA key of 4,096 bits. Nobody has its private key, whose generation takes seconds. */
const rsaKey = (): string => {
  const modulus = randomBytes(512)
  modulus[0] = 0xff
  modulus[511] = 0x01
  const jwk = { kty: 'RSA', n: modulus.toString('base64url'), e: 'AQAB' }
  return createPublicKey({ key: jwk, format: 'jwk' })
    .export({ format: 'der', type: 'spki' })
    .toString('base64')
}

/** The settings of a login with so many RSA keys. */
export const rsaLogin = (keys: number) => ({
  ...withoutLogin,
  loginAlgorithm: 'RS256',
  loginPublicKeys: Array.from({ length: keys }, rsaKey),
})

const generations = ['5', '4', '3', '2', '1']

/** Settings in which deployments differ most, by what is special about them. */
export const variants: Readonly<Record<string, Record<string, unknown>>> = {
  'the defaults of dev': {},
  'the defaults of prod': prodSettings,
  'canary, with chains that are followed': {
    ...{ ...prodSettings, trafficShift: 'canary', followedChains: ['POLYGON', 'BSC'] },
  },
  'a new account with 10 executions': {
    ...{ ...prodSettings, accountConcurrency: 10, followedChains: ['POLYGON'] },
  },
  'everything on': everything,
  'a login with four RSA keys': { ...rsaLogin(4), playerTokenKeys: generations },
  'a login with a key set, and every chain': {
    ...{ ...loginWithKeySet, followedChains: coveredChains },
  },
  'two logins beside the key of the stack': {
    ...{ ...prodSettings, ...severalLogins, issuer: 'https://own.example' },
    ...{ userJwtAudience: 'own', loginRoleArn: prodSettings.loginRoleArn },
  },
  'sign-in with wallets, and no other login': signInSettings,
  'webhooks, with the defaults of prod': webhookSettings,
  'linear, in a large account in eu-south-1': {
    ...{ ...prodSettings, trafficShift: 'linear', region: 'eu-south-1' },
    accountConcurrency: 100_000,
  },
  'a removed stack again, during maintenance': {
    ...{ ...prodSettings, restoredTable: 'restored', indexerSecretArn: retainedSecret },
    ...{ playerTokenKeys: [retainedKey], userJwtKeys: [retainedKey], maintenance: true },
  },
}
