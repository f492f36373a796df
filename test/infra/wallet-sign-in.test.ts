import { describe, expect, test } from 'vitest'
import { routes } from '../../functions/operations.ts'
import { uploadName } from '../../infra/dashboard/dashboard-site.ts'
import { deploymentSettings } from '../../infra/settings/settings.ts'
import { functionName, type Route } from '../../lib/contract/route.ts'
import { expectFault } from '../support/deployment-faults.ts'
import { edge, prodSettings, signInSettings } from '../support/prod-settings.ts'
import { rolePermissions } from '../support/role-permissions.ts'
import {
  environmentOf,
  functionsOf,
  functionsWith,
  type Json,
  serviceTemplate,
} from '../support/service-template.ts'

const on = serviceTemplate(signInSettings)
const { walletSignIn: _, ...others } = signInSettings
const { loginRoleArn } = prodSettings
const off = serviceTemplate({ ...others, loginRoleArn })

const signInRoutes = Object.values<Route>(routes).filter(({ needs }) => needs === 'walletSignIn')

const routesOf = ({ all }: typeof on): string[] =>
  all('AWS::ApiGatewayV2::Route').map(([, { Properties }]) => Properties.RouteKey)

describe('D113: sign-in with wallets in a deployment', () => {
  test('adds a function and a route for each of its operations, and nothing without the setting', () => {
    const added = signInRoutes.map(({ id }) => functionName(id))
    const all = [...functionsOf(off), ...added, uploadName]
    expect(functionsOf(on).toSorted()).toEqual(all.toSorted())
    const keys = signInRoutes.flatMap(({ method, paths }) =>
      paths.map((path) => `${method} ${path}`),
    )
    expect(routesOf(on).toSorted()).toEqual([...routesOf(off), ...keys].toSorted())
    const traces = JSON.stringify(off.resources).match(/SIGN_IN|sign-in-|SignIn\w*/g) ?? []
    expect(traces).toEqual([])
  })

  test('gives the secret to the functions that need it, from a secret that only they get', () => {
    expect(functionsWith(on, 'SIGN_IN_SECRET')).toEqual([
      ...['add-wallet', 'authorize-device', 'create-sign-in-message', 'create-token'],
      ...['remove-wallet', 'sign-in'],
    ])
    const [[id] = ['']] = on
      .all('AWS::SecretsManager::Secret')
      .filter(([id]) => id.startsWith('SignIn'))
    const reference = JSON.stringify(environmentOf(on, '-sign-in').SIGN_IN_SECRET)
    expect(reference).toContain(`{"Ref":"${id}"}`)
    const renamed = serviceTemplate({ ...signInSettings, walletSignIn: { secret: '2' } })
    expect(Object.keys(renamed.resources)).not.toContain(id)
  })

  test('D158: lets the functions that take proofs read the key of the indexer, unless smart accounts are off', () => {
    const takeProofs = ['add-wallet', 'remove-wallet', 'sign-in']
    const signers = signInRoutes.map(({ id }) => functionName(id))
    const readersIn = (template: typeof on) =>
      functionsWith(template, 'INDEXER_SECRET_ARN').filter((name) => signers.includes(name))
    expect(functionsWith(on, 'SMART_ACCOUNTS')).toEqual(takeProofs)
    expect(functionsWith(on, 'CONTRACT_CHECKS_PER_HOUR')).toEqual(takeProofs)
    expect(readersIn(on)).toEqual(takeProofs)
    const walletSignIn = { smartAccounts: false }
    const keysOnly = serviceTemplate({ ...signInSettings, walletSignIn })
    expect(functionsWith(keysOnly, 'SMART_ACCOUNTS')).toEqual([])
    expect(functionsWith(keysOnly, 'CONTRACT_CHECKS_PER_HOUR')).toEqual([])
    expect(readersIn(keysOnly)).toEqual([])
    for (const name of takeProofs) {
      const secrets = (template: typeof on) =>
        rolePermissions(template, name).filter((each) => each.startsWith('secretsmanager:'))
      expect(secrets(on)).toHaveLength(1)
      expect(secrets(keysOnly)).toEqual([])
    }
  })

  test('has the page at the host of the distribution, or at the one of the setting', () => {
    expect(environmentOf(on, '-sign-in').SIGN_IN_PAGE).toBe(edge.domain.name)
    const page = 'd111111abcdef8.cloudfront.net'
    const named = serviceTemplate({ ...signInSettings, edge: {}, walletSignIn: { page } })
    expect(environmentOf(named, '-authorize-device').SIGN_IN_PAGE).toBe(page)
  })

  test('D70: lets the roles of two functions sign player tokens', () => {
    const roles = on.all('AWS::IAM::Role').filter(([, { Properties }]) => Properties.RoleName)
    expect(roles).toHaveLength(2)
    const names = roles.map(([, { Properties }]) => Properties.RoleName['Fn::Join'][1][0])
    expect(names.toSorted()).toEqual(['PlayerNfts-prod-sign-in-signer-', 'PlayerNfts-prod-signer-'])
    expect(signersOf(on, 'PlayerTokenKey')).toHaveLength(2)
    expect(JSON.stringify(signersOf(on, 'PlayerTokenKey'))).toContain('sign-in-signer-')
  })

  test('is a login of its own: in production without another one, nobody signs user JWTs', () => {
    expect(signersOf(on, 'UserJwtKey')).toEqual([])
    const withRole = serviceTemplate({ ...signInSettings, loginRoleArn })
    expect(signersOf(withRole, 'UserJwtKey')).toEqual([loginRoleArn])
  })

  test('has an edge that caches where its endpoints are, and nothing else of it', () => {
    const { CacheBehaviors } = on.only('AWS::CloudFront::Distribution').Properties
      .DistributionConfig
    const patterns = CacheBehaviors.map(({ PathPattern }: Json) => PathPattern)
    expect(patterns).toContain('/.well-known/oauth-authorization-server')
  })
})

/** The roles to which the policy of a kind of key does not deny signing. */
function signersOf({ all }: typeof on, kind: string): Json[] {
  const [[, { Properties }] = ['', { Properties: {} as Json }]] = all('AWS::KMS::Key').filter(
    ([id]) => id.startsWith(kind),
  )
  const [denial] = Properties.KeyPolicy.Statement.filter(({ Effect }: Json) => Effect === 'Deny')
  return [denial.Condition?.ArnNotEquals['aws:PrincipalArn'] ?? []].flat()
}

test.each<[Record<string, unknown>, string]>([
  [{ edge: undefined, walletSignIn: { page: 'a.example' } }, 'walletSignIn needs edge, for'],
  [{ edge: {} }, 'walletSignIn.page must be set without edge.domain: deploy'],
  [{ userIds: 'subject' }, 'userIds must be assigned with walletSignIn, because'],
  [{ walletSignIn: { page: 'https://a.example' } }, 'walletSignIn.page must be a host as'],
  [{ walletSignIn: { page: 'A.example' } }, 'walletSignIn.page must be a host as browsers'],
  [{ walletSignIn: { page: 'a.example/connect' } }, 'walletSignIn.page must be a host as'],
  [{ walletSignIn: { secret: 'A' } }, 'walletSignIn.secret must be 1 to 32 of a-z'],
  [{ walletSignIn: { host: 'a.example' } }, 'walletSignIn.host is not a setting'],
  [
    { walletSignIn: true },
    'walletSignIn must be an object with "page", "secret" and "smartAccounts"',
  ],
  [{ walletSignIn: { smartAccounts: 'no' } }, 'walletSignIn.smartAccounts must be true or false'],
  [{ contractChecksPerAddressAndHour: 6_001 }, 'contractChecksPerAddressAndHour must be at most'],
  [{ contractChecksPerAccountAndHour: 101 }, 'contractChecksPerAccountAndHour must be at most'],
  [{ signInsPerAddressAndHour: 50_000 }, 'signInsPerAddressAndHour must be at most'],
  [{ deviceCodesPerAddressAndHour: 36_001 }, 'deviceCodesPerAddressAndHour must be at most'],
])('D113: %j is refused', (changes, fault) => {
  expectFault(signInSettings, changes, fault)
})

test('D113: the stage local has the page at any host, without an edge, and as npm start beside subjects', () => {
  const walletSignIn = { page: '127.0.0.1:4566' }
  const settings = { stage: 'local', userIds: 'subject', walletSignIn }
  expect(deploymentSettings(settings)).toMatchObject({ walletSignIn, userIds: 'subject' })
})
