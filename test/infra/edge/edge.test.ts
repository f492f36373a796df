import { describe, expect, test } from 'vitest'
import { cors } from '../../../lib/contract/cors.ts'
import type { Route } from '../../../lib/contract/route.ts'
import { functionName } from '../../../lib/contract/route.ts'
import { originSecretHeader, viewerAddressHeader } from '../../../lib/http/source-address.ts'
import { usualOperationIds, usualRoutes } from '../../support/operations.ts'
import { domain, edge, prodSettings } from '../../support/prod-settings.ts'
import { environmentOf, type Json, serviceTemplate } from '../../support/service-template.ts'

const plain = serviceTemplate({ ...prodSettings, edge: {} })
const full = serviceTemplate({ ...prodSettings, domain, executeApiEndpoint: false, edge })
const without = serviceTemplate(prodSettings)

type Template = typeof plain

const configOf = ({ only }: Template): Json =>
  only('AWS::CloudFront::Distribution').Properties.DistributionConfig

/** The resource that a behavior refers to. */
const policy = ({ resources }: Template, { Ref }: Json): Json => {
  const [config] = Object.values<Json>(resources[Ref]?.Properties ?? {})
  return config
}

const all: readonly Route[] = usualRoutes
const cached = all.filter(({ maxAgeSeconds }) => maxAgeSeconds !== undefined)

describe('D54: the distribution in front of the API', () => {
  test('caches exactly the documents that the route table permits to cache, for their max-age', () => {
    const { CacheBehaviors, DefaultCacheBehavior } = configOf(plain)
    const paths = CacheBehaviors.map(({ PathPattern }: Json) => PathPattern)
    expect(paths.toSorted()).toEqual(cached.flatMap((each) => each.paths).toSorted())
    expect(paths).toHaveLength(3)
    for (const behavior of CacheBehaviors) {
      expect(behavior.AllowedMethods).toEqual(['GET', 'HEAD', 'OPTIONS'])
      expect(policy(plain, behavior.CachePolicyId)).toMatchObject({
        MinTTL: 0,
        DefaultTTL: 0,
        MaxTTL: 300,
        ParametersInCacheKeyAndForwardedToOrigin: {
          CookiesConfig: { CookieBehavior: 'none' },
          HeadersConfig: { HeaderBehavior: 'none' },
          QueryStringsConfig: { QueryStringBehavior: 'none' },
        },
      })
    }
    expect(new Set(cached.map(({ maxAgeSeconds }) => maxAgeSeconds))).toEqual(new Set([300]))
    expect(DefaultCacheBehavior).not.toHaveProperty('PathPattern')
  })

  test('passes all other requests uncached, with each credential in the cache key', () => {
    const { DefaultCacheBehavior: behavior } = configOf(plain)
    expect(behavior.AllowedMethods.toSorted()).toEqual([
      ...['DELETE', 'GET', 'HEAD', 'OPTIONS', 'PATCH', 'POST', 'PUT'],
    ])
    expect(policy(plain, behavior.CachePolicyId)).toMatchObject({
      MinTTL: 0,
      DefaultTTL: 0,
      MaxTTL: 1,
      ParametersInCacheKeyAndForwardedToOrigin: {
        CookiesConfig: { CookieBehavior: 'none' },
        HeadersConfig: {
          HeaderBehavior: 'whitelist',
          Headers: ['X-Api-Key', 'Authorization', 'X-Player-Token'],
        },
        QueryStringsConfig: { QueryStringBehavior: 'all' },
      },
    })
  })

  test('every header that the API reads reaches it, but not the host of the distribution', () => {
    const { DefaultCacheBehavior: behavior } = configOf(plain)
    const origin = policy(plain, behavior.OriginRequestPolicyId)
    const key = policy(plain, behavior.CachePolicyId).ParametersInCacheKeyAndForwardedToOrigin
    const forwarded = [...origin.HeadersConfig.Headers, ...key.HeadersConfig.Headers]
    expect(origin.HeadersConfig.HeaderBehavior).toBe('whitelist')
    expect(origin.QueryStringsConfig.QueryStringBehavior).toBe('all')
    expect(forwarded).toEqual(expect.arrayContaining([...cors.allowHeaders]))
    expect(forwarded.map((name) => name.toLowerCase())).toContain(viewerAddressHeader)
    expect(forwarded).toEqual(expect.arrayContaining(['Origin', 'Sec-Fetch-Site']))
    expect(forwarded).not.toContain('Host')
    // CloudFront rejects a policy with more.
    expect(origin.HeadersConfig.Headers.length).toBeLessThanOrEqual(10)
  })

  test('D6: preflight requests reach API Gateway, and documents have CORS headers from the cache too', () => {
    const { CacheBehaviors, DefaultCacheBehavior } = configOf(plain)
    for (const behavior of [...CacheBehaviors, DefaultCacheBehavior]) {
      expect(behavior.AllowedMethods).toContain('OPTIONS')
      expect(policy(plain, behavior.OriginRequestPolicyId).HeadersConfig.Headers).toEqual(
        expect.arrayContaining([
          'Origin',
          'Access-Control-Request-Method',
          'Access-Control-Request-Headers',
        ]),
      )
    }
    for (const behavior of CacheBehaviors) {
      expect(policy(plain, behavior.ResponseHeadersPolicyId).CorsConfig).toEqual({
        AccessControlAllowCredentials: false,
        AccessControlAllowOrigins: { Items: cors.allowOrigins },
        AccessControlAllowMethods: { Items: cors.allowMethods },
        AccessControlAllowHeaders: { Items: cors.allowHeaders },
        AccessControlExposeHeaders: { Items: cors.exposeHeaders },
        AccessControlMaxAgeSec: cors.maxAgeSeconds,
        OriginOverride: true,
      })
    }
  })

  test('caches no error, which could be that of another caller', () => {
    const { CustomErrorResponses } = configOf(plain)
    expect(CustomErrorResponses).toEqual(
      [400, 403, 404, 405, 414, 416, 500, 501, 502, 503, 504].map((ErrorCode) => ({
        ErrorCode,
        ErrorCachingMinTTL: 0,
      })),
    )
  })

  test('uses HTTPS on both sides, HTTP/2 and HTTP/3, and waits longer than API Gateway', () => {
    for (const template of [plain, full]) {
      const { Origins, HttpVersion, IPV6Enabled, CacheBehaviors, DefaultCacheBehavior } =
        configOf(template)
      expect([HttpVersion, IPV6Enabled]).toEqual(['http2and3', true])
      for (const { ViewerProtocolPolicy } of [...CacheBehaviors, DefaultCacheBehavior]) {
        expect(ViewerProtocolPolicy).toBe('https-only')
      }
      expect(Origins).toHaveLength(1)
      expect(Origins[0].CustomOriginConfig).toMatchObject({
        OriginProtocolPolicy: 'https-only',
        OriginSSLProtocols: ['TLSv1.2'],
      })
      expect(Origins[0].CustomOriginConfig.OriginReadTimeout).toBeGreaterThan(30)
    }
  })

  test('has the domain, TLS policy, web ACL and price class of the settings', () => {
    expect(configOf(full)).toMatchObject({
      Aliases: [edge.domain.name],
      ViewerCertificate: {
        AcmCertificateArn: edge.domain.certificateArn,
        MinimumProtocolVersion: 'TLSv1.2_2021',
        SslSupportMethod: 'sni-only',
      },
      WebACLId: edge.webAclArn,
      PriceClass: 'PriceClass_100',
    })
    expect(configOf(plain)).toMatchObject({ PriceClass: 'PriceClass_All' })
    for (const name of ['Aliases', 'ViewerCertificate', 'WebACLId']) {
      expect(configOf(plain)).not.toHaveProperty(name)
    }
    expect(full.outputs['EdgeUrl'].Value).toBe(`https://${edge.domain.name}`)
    expect(full.outputs).toHaveProperty('EdgeTarget')
  })

  test('sends requests to the API, or to its domain if API Gateway has no address of its own', () => {
    expect(JSON.stringify(configOf(plain).Origins[0].DomainName)).toContain('ApiEndpoint')
    expect(configOf(full).Origins[0].DomainName).toBe(domain.name)
  })

  test('exists only with the setting', () => {
    const types = Object.values(without.resources).map(({ Type }) => Type)
    expect(types.filter((type) => type.includes('CloudFront'))).toEqual([])
  })

  test('D5: writes no access log, which would contain query strings with player tokens', () => {
    expect(configOf(full)).not.toHaveProperty('Logging')
    expect(full.all('AWS::CloudFront::RealtimeLogConfig')).toEqual([])
  })
})

describe('D54: the secret that proves the address of a caller', () => {
  /** The secrets that a value refers to, in their order. */
  const references = (value: Json): string[] =>
    [...JSON.stringify(value).matchAll(/OriginSecretsSecret\d/g)].map(([name]) => name)

  test('the distribution sends the first, under the name that the functions read', () => {
    for (const [template, first] of [
      [plain, 'OriginSecretsSecret1'],
      [full, 'OriginSecretsSecret2'],
    ] as const) {
      const [header, ...more] = configOf(template).Origins[0].OriginCustomHeaders
      expect(more).toEqual([])
      expect(header.HeaderName.toLowerCase()).toBe(originSecretHeader)
      expect(JSON.stringify(header.HeaderValue)).toContain('{{resolve:secretsmanager:')
      expect(references(header.HeaderValue)).toEqual([first])
    }
  })

  test('registration and logins accept all of them, and no other function has them', () => {
    const asking = ['register-product', 'create-player-token']
    for (const name of asking) {
      const accepted = environmentOf(full, `-${name}`).EDGE_SECRETS
      expect(references(accepted)).toEqual(['OriginSecretsSecret2', 'OriginSecretsSecret1'])
      expect(JSON.stringify(accepted).match(/:SecretString:::}}/g)).toHaveLength(2)
      expect(environmentOf(without, `-${name}`)).not.toHaveProperty('EDGE_SECRETS')
    }
    const others = usualOperationIds.map(functionName).filter((name) => !asking.includes(name))
    for (const name of [...others, 'work-queue']) {
      expect(environmentOf(full, `-${name}`) ?? {}).not.toHaveProperty('EDGE_SECRETS')
    }
  })
})
