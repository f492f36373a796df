import { runInNewContext } from 'node:vm'
import { appSecurityHeaders } from '@player-nfts/dashboard/build/security-headers'
import { pageAt, pagePaths } from '@player-nfts/dashboard/shell/page-paths'
import { describe, expect, test } from 'vitest'
import { pageFunction } from '../../../infra/edge/edge-pages.ts'
import { usualRoutes } from '../../support/operations.ts'
import { edge, prodSettings, signInSettings } from '../../support/prod-settings.ts'
import { type Json, serviceTemplate } from '../../support/service-template.ts'

const withPages = serviceTemplate({ ...prodSettings, edge, dashboard: true })

const inDev = serviceTemplate({ edge: {}, dashboard: true })

const without = serviceTemplate({ ...prodSettings, edge })

const { only, all, resources, outputs } = withPages

const config: Json = only('AWS::CloudFront::Distribution').Properties.DistributionConfig

const behaviors: Json[] = [...config.CacheBehaviors, config.DefaultCacheBehavior]

const bucketId = all('AWS::S3::Bucket')[0]?.[0]

/** The behavior that CloudFront uses for a path: that of the first pattern. */
const behaviorOf = (path: string): Json =>
  behaviors.find(
    ({ PathPattern = '/*' }) =>
      PathPattern === path ||
      (PathPattern.endsWith('*') && path.startsWith(PathPattern.slice(0, -1))),
  )

const originOf = ({ TargetOriginId }: Json): Json =>
  config.Origins.find(({ Id }: Json) => Id === TargetOriginId)

const isOfPages = (path: string) => 'S3OriginConfig' in originOf(behaviorOf(path))

describe('D63: the distribution with the dashboard', () => {
  test('without the setting, has no bucket, function or page', () => {
    for (const type of ['AWS::S3::Bucket', 'AWS::CloudFront::Function', 'Custom::DashboardFiles']) {
      expect(without.all(type)).toEqual([])
    }
    expect(without.outputs).not.toHaveProperty('DashboardUrl')
  })

  test('passes every path of the API to the API, as without the dashboard', () => {
    const before: Json = without.only('AWS::CloudFront::Distribution').Properties.DistributionConfig
    const withoutOrigin = ({ TargetOriginId: _, PathPattern: __, ...behavior }: Json) => behavior
    const all = usualRoutes.flatMap((route) => route.paths)
    for (const path of all) {
      const same =
        before.CacheBehaviors.find(({ PathPattern }: Json) => PathPattern === path) ??
        before.DefaultCacheBehavior
      expect(withoutOrigin(behaviorOf(path))).toEqual(withoutOrigin(same))
      expect([path, isOfPages(path)]).toEqual([path, false])
    }
    for (const path of ['/api/public/v1/nothing', '/api/public/v2/product', '/.well-known/x']) {
      expect([path, isOfPages(path)]).toEqual([path, false])
    }
    expect(config.CustomErrorResponses).toEqual(before.CustomErrorResponses)
  })

  test('serves all other paths from the bucket, over HTTPS, compressed, and for reading only', () => {
    for (const path of ['/', '/nfts', '/docs', '/docs/api.html', '/assets/a-1.js', '/nothing']) {
      expect([path, isOfPages(path)]).toEqual([path, true])
      expect(behaviorOf(path)).toMatchObject({
        AllowedMethods: ['GET', 'HEAD'],
        Compress: true,
        ViewerProtocolPolicy: 'redirect-to-https',
        // CachingOptimized: the Cache-Control of each file decides, and no query string or cookie reaches S3.
        CachePolicyId: '658327ea-f89d-4fab-a63d-7e88639e58f6',
      })
      expect(behaviorOf(path)).not.toHaveProperty('OriginRequestPolicyId')
    }
    expect(config.DefaultRootObject).toBe('index.html')
  })

  test.each(['/nfts', '/docs/api.html'])(
    '%s has the same security headers as on the local stack, and HSTS',
    (path) => {
      const { Ref } = behaviorOf(path).ResponseHeadersPolicyId
      const policy: Json = resources[Ref]?.Properties
      const { SecurityHeadersConfig: own, CustomHeadersConfig: more } =
        policy.ResponseHeadersPolicyConfig
      const sent = {
        'content-security-policy': own.ContentSecurityPolicy.ContentSecurityPolicy,
        'referrer-policy': own.ReferrerPolicy.ReferrerPolicy,
        ...(own.ContentTypeOptions.Override && { 'x-content-type-options': 'nosniff' }),
        ...Object.fromEntries(more.Items.map(({ Header, Value }: Json) => [Header, Value])),
      }
      expect(sent).toEqual(appSecurityHeaders())
      expect(own.StrictTransportSecurity.AccessControlMaxAgeSec).toBe(31_536_000)
    },
  )

  test('changes after the files of its version are in the bucket, and they after the API', () => {
    const [[files] = []] = all('Custom::DashboardFiles')
    const dependsOn = (type: string): string[] => (only(type) as Json).DependsOn
    expect(dependsOn('AWS::CloudFront::Distribution')).toContain(files)
    const [[stage] = []] = all('AWS::ApiGatewayV2::Stage')
    expect(dependsOn('Custom::DashboardFiles')).toContain(stage)
  })
})

describe('D63: the bucket', () => {
  test('is private and encrypted, and only this distribution reads it, over TLS', () => {
    const { PublicAccessBlockConfiguration, BucketEncryption, OwnershipControls } =
      only('AWS::S3::Bucket').Properties
    expect(new Set(Object.values(PublicAccessBlockConfiguration))).toEqual(new Set([true]))
    expect(JSON.stringify(BucketEncryption)).toContain('AES256')
    expect(OwnershipControls.Rules).toEqual([{ ObjectOwnership: 'BucketOwnerEnforced' }])
    const [insecure, read, ...more] =
      only('AWS::S3::BucketPolicy').Properties.PolicyDocument.Statement
    expect(more).toEqual([])
    expect(insecure).toMatchObject({
      Effect: 'Deny',
      Condition: { Bool: { 'aws:SecureTransport': 'false' } },
    })
    expect(read).toMatchObject({
      Effect: 'Allow',
      Principal: { Service: 'cloudfront.amazonaws.com' },
      Action: ['s3:GetObject', 's3:ListBucket'],
    })
    const [[distribution] = []] = all('AWS::CloudFront::Distribution')
    expect(JSON.stringify(read.Condition.StringEquals['AWS:SourceArn'])).toContain(distribution)
    const access = only('AWS::CloudFront::OriginAccessControl').Properties
    expect(access.OriginAccessControlConfig).toMatchObject({
      SigningBehavior: 'always',
      SigningProtocol: 'sigv4',
    })
  })

  test('and its files remain in prod, and are deleted in dev', () => {
    for (const [template, policy, keepFiles] of [
      [withPages, 'RetainExceptOnCreate', 'true'],
      [inDev, 'Delete', 'false'],
    ] as const) {
      expect(template.only('AWS::S3::Bucket').DeletionPolicy).toBe(policy)
      expect(template.only('Custom::DashboardFiles').Properties).toMatchObject({
        Bucket: { Ref: bucketId },
        KeepFiles: keepFiles,
        Version: expect.stringMatching(/^[0-9a-f]{32,}$/),
      })
    }
  })
})

describe('D63: the function of the distribution', () => {
  const run = (uri: string): Json =>
    runInNewContext(`${pageFunction()}; handler({ request: { uri: ${JSON.stringify(uri)} } })`)
  const paths = Object.values(pagePaths).map((path) =>
    path.replace(':chain', 'POLYGON').replace(':address', `0x${'a'.repeat(40)}`),
  )

  test('is the code in the template', () => {
    expect(only('AWS::CloudFront::Function').Properties).toMatchObject({
      AutoPublish: true,
      FunctionCode: pageFunction(),
      FunctionConfig: { Runtime: 'cloudfront-js-2.0' },
    })
    // CloudFront rejects longer code.
    expect(pageFunction().length).toBeLessThan(10_240)
    for (const path of ['/', '/docs', '/docs/api.html']) {
      expect(behaviorOf(path).FunctionAssociations).toHaveLength(1)
    }
  })

  test.each([...paths, ...paths.map((path) => `${path.replace(/\/$/, '')}/`)])(
    'finds the page of the dashboard at %s',
    (path) => {
      expect(pageAt(path)).toBeDefined()
      expect(run(path).uri).toBe('/index.html')
    },
  )

  test.each([
    ...['/index.html', '/config.json', '/assets/main-1.js', '/docs/index.html'],
    ...['/nothing', '/nfts/POLYGON', '/nfts/POLYGON/0x1/2', '/nftsx', '/x/nfts', '/docs/nothing'],
  ])('leaves %s to the bucket, which has a file of this name or responds with 404', (path) => {
    expect(run(path)).toEqual({ uri: path })
  })

  test.each(['/docs', '/docs/'])(
    'redirects %s to the documentation, as the local stack does',
    (path) => {
      expect(run(path)).toMatchObject({
        statusCode: 307,
        headers: { location: { value: '/docs/index.html' } },
      })
    },
  )
})

const alone = serviceTemplate(signInSettings)

const withDashboard = serviceTemplate({ ...signInSettings, dashboard: true })

const distributionOf = ({ only }: typeof alone): Json =>
  only('AWS::CloudFront::Distribution').Properties.DistributionConfig

describe('D114: the page on which players sign in, in a deployment', () => {
  test('is served with its files from the bucket, and every other path goes to the API', () => {
    const { CacheBehaviors, DefaultCacheBehavior, DefaultRootObject, Origins } =
      distributionOf(alone)
    const [bucket] = Origins.filter((origin: Json) => 'S3OriginConfig' in origin)
    const ofPages = CacheBehaviors.filter(
      ({ TargetOriginId }: Json) => TargetOriginId === bucket.Id,
    )
    expect(ofPages.map(({ PathPattern }: Json) => PathPattern)).toEqual([
      ...['/connect', '/assets/*', '/icon.svg'],
    ])
    expect(DefaultCacheBehavior.TargetOriginId).not.toBe(bucket.Id)
    expect(DefaultRootObject ?? '').toBe('')
    const [policy, ...more] = alone
      .all('AWS::CloudFront::ResponseHeadersPolicy')
      .map(([, { Properties }]) => Properties.ResponseHeadersPolicyConfig)
      .filter(({ SecurityHeadersConfig }: Json) => SecurityHeadersConfig !== undefined)
    expect(more).toEqual([])
    expect(policy.SecurityHeadersConfig.ContentSecurityPolicy.ContentSecurityPolicy).toBe(
      appSecurityHeaders()['content-security-policy'],
    )
  })

  test('has an output of its own', () => {
    const page = `https://${edge.domain.name}/connect`
    expect(alone.outputs['ConnectUrl']).toMatchObject({ Value: page })
    expect(alone.outputs).not.toHaveProperty('DashboardUrl')
    expect(withDashboard.outputs['ConnectUrl']).toMatchObject({ Value: page })
    expect(outputs['DashboardUrl'].Value).toBe(`https://${edge.domain.name}/`)
    expect(JSON.stringify(inDev.outputs['DashboardUrl'].Value)).toContain('DomainName')
    const { CacheBehaviors } = distributionOf(withDashboard)
    expect(CacheBehaviors.map(({ PathPattern }: Json) => PathPattern)).not.toContain('/connect')
  })

  test('is a file that the function of the distribution finds, and no other deployment has', () => {
    const run = (code: string) =>
      runInNewContext(`${code}; handler({ request: { uri: '/connect' } })`).uri
    const { FunctionCode } = alone.only('AWS::CloudFront::Function').Properties
    expect(FunctionCode).toBe(pageFunction({ connect: true }))
    expect(run(FunctionCode)).toBe('/connect.html')
    expect(run(pageFunction())).toBe('/connect')
  })
})
