import { runInNewContext } from 'node:vm'
import { describe, expect, test } from 'vitest'
import { appSecurityHeaders } from '../../../dashboard/build/security-headers.ts'
import { pageFunction } from '../../../infra/edge/edge-pages.ts'
import { edge, signInSettings } from '../../support/prod-settings.ts'
import { type Json, serviceTemplate } from '../../support/service-template.ts'

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

  test('is one of the pages of a distribution with the dashboard', () => {
    const { CacheBehaviors, DefaultRootObject } = distributionOf(withDashboard)
    const patterns = CacheBehaviors.map(({ PathPattern }: Json) => PathPattern)
    expect(patterns).toEqual(expect.arrayContaining(['/api/*', '/docs', '/docs/*']))
    expect(patterns).not.toContain('/connect')
    expect(DefaultRootObject).toBe('index.html')
  })

  test('has an output of its own', () => {
    const page = `https://${edge.domain.name}/connect`
    expect(alone.outputs['ConnectUrl']).toMatchObject({ Value: page })
    expect(alone.outputs).not.toHaveProperty('DashboardUrl')
    expect(withDashboard.outputs['ConnectUrl']).toMatchObject({ Value: page })
    expect(withDashboard.outputs).toHaveProperty('DashboardUrl')
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
