import { connectPath } from '@player-nfts/dashboard/build/build-connect'
import { CfnOutput, Duration, Stack, Validations } from 'aws-cdk-lib'
import { Certificate } from 'aws-cdk-lib/aws-certificatemanager'
import {
  type BehaviorOptions,
  Distribution,
  HttpVersion,
  OriginProtocolPolicy,
  OriginSslPolicy,
  PriceClass,
  SecurityPolicyProtocol,
} from 'aws-cdk-lib/aws-cloudfront'
import { HttpOrigin } from 'aws-cdk-lib/aws-cloudfront-origins'
import { Construct } from 'constructs'
import type { Route } from '../../lib/contract/route.ts'
import type { HttpApi } from '../api/http-api.ts'
import type { DashboardSite } from '../dashboard/dashboard-site.ts'
import type { GeneratedSecrets } from '../keys/generated-secrets.ts'
import { signInPageOf } from '../settings/feature-rules.ts'
import type { Settings } from '../settings/settings.ts'
import { cachedRoutes, documentBehavior, requestBehavior } from './edge-api.ts'
import { EdgePages } from './edge-pages.ts'

export interface EdgeProps {
  readonly api: HttpApi
  readonly operations: readonly Route[]
  /** Of which the distribution sends the first. */
  readonly secrets: GeneratedSecrets
  /** The files of pages, if the deployment has them. */
  readonly site: DashboardSite | undefined
  readonly settings: Settings & Required<Pick<Settings, 'edge'>>
}

/** The header with the proof. lib/http/source-address.ts has the name in lower case. */
const originSecretHeader = 'X-Origin-Secret'

/** Longer than API Gateway lets a request take, so that CloudFront does not send it a second time. */
const originReadTimeout = Duration.seconds(35)

/** The statuses of errors that CloudFront would otherwise cache for 10 seconds, for all callers. */
const cachedErrors = [400, 403, 404, 405, 414, 416, 500, 501, 502, 503, 504]

const priceClasses = {
  100: PriceClass.PRICE_CLASS_100,
  200: PriceClass.PRICE_CLASS_200,
  all: PriceClass.PRICE_CLASS_ALL,
}

/**
 * A CloudFront distribution in front of the API. It caches the documents that the route table permits to cache,
 * and passes all other requests with their credentials, uncached. It adds the address of the viewer, and a secret
 * with which the functions believe it (D54). With a site, it also serves the pages of the dashboard (D63), and the one on
 * which players sign in (D114).
 */
export class Edge extends Construct {
  constructor(scope: Construct, id: string, props: EdgeProps) {
    super(scope, id)
    const { api, operations, secrets, site, settings } = props
    const { domain, webAclArn, priceClass } = settings.edge
    const origin = new HttpOrigin(api.originHost(settings), {
      protocolPolicy: OriginProtocolPolicy.HTTPS_ONLY,
      originSslProtocols: [OriginSslPolicy.TLS_V1_2],
      readTimeout: originReadTimeout,
      keepaliveTimeout: Duration.seconds(60),
      customHeaders: { [originSecretHeader]: secrets.references[0] ?? '' },
    })
    const documents = { origin, ...documentBehavior(this, operations) }
    const requests = { origin, ...requestBehavior(this) }
    const pages =
      site &&
      new EdgePages(this, 'Pages', site.bucket, {
        dashboard: settings.dashboard,
        connect: settings.walletSignIn !== undefined,
      })
    const distribution = new Distribution(this, 'Distribution', {
      comment: Stack.of(this).stackName,
      defaultBehavior: pages?.app ?? requests,
      // CloudFront uses the first pattern that a path has.
      additionalBehaviors: {
        ...behaviors(
          cachedRoutes(operations).flatMap(({ paths }) => paths),
          documents,
        ),
        ...(pages?.app && behaviors(pathsOfApi(operations), requests)),
        ...pages?.others,
      },
      ...(pages?.app && { defaultRootObject: 'index.html' }),
      errorResponses: cachedErrors.map((httpStatus) => ({ httpStatus, ttl: Duration.seconds(0) })),
      httpVersion: HttpVersion.HTTP2_AND_3,
      priceClass: priceClasses[priceClass],
      ...(webAclArn && { webAclId: webAclArn }),
      ...(domain && {
        domainNames: [domain.name],
        certificate: Certificate.fromCertificateArn(this, 'Certificate', domain.certificateArn),
        minimumProtocolVersion: SecurityPolicyProtocol.TLS_V1_2_2021,
      }),
    })
    acknowledge(distribution, settings.edge)
    const url = `https://${domain?.name ?? distribution.distributionDomainName}`
    new CfnOutput(this, 'Url', { value: url }).overrideLogicalId('EdgeUrl')
    if (site) {
      // Pages without their files would be errors.
      distribution.node.addDependency(site.uploaded)
    }
    if (settings.dashboard) {
      new CfnOutput(this, 'Dashboard', { value: `${url}/` }).overrideLogicalId('DashboardUrl')
    }
    if (settings.walletSignIn) {
      const page = `https://${signInPageOf(settings)}${connectPath}`
      new CfnOutput(this, 'Connect', { value: page }).overrideLogicalId('ConnectUrl')
    }
    new CfnOutput(this, 'Target', {
      value: distribution.distributionDomainName,
    }).overrideLogicalId('EdgeTarget')
  }
}

/** Patterns of the paths of the API: the first part of each path of the route table. */
const pathsOfApi = (operations: readonly Route[]): string[] => {
  const paths = operations.flatMap((route) => route.paths)
  return [...new Set(paths.map((path) => `/${path.split('/')[1]}/*`))]
}

const behaviors = (patterns: readonly string[], behavior: BehaviorOptions) =>
  Object.fromEntries(patterns.map((pattern) => [pattern, behavior]))

/** The rules of cdk-nag that do not fit this distribution. */
function acknowledge(
  distribution: Distribution,
  { domain, webAclArn }: EdgeProps['settings']['edge'],
) {
  const reasons = {
    'AwsSolutions-CFR1': 'Players are in all countries. A web ACL can restrict countries.',
    'AwsSolutions-CFR3':
      'The access log of CloudFront contains query strings, which can contain player tokens (D5). API Gateway logs each request.',
    ...(!webAclArn && {
      'AwsSolutions-CFR2':
        'The setting webAclArn is optional: the API has throttles and limits of its own.',
    }),
    ...(!domain && {
      'AwsSolutions-CFR4':
        "CloudFront's own certificate fixes the TLS policy. The setting domain replaces it.",
    }),
  }
  for (const [id, reason] of Object.entries(reasons)) {
    Validations.of(distribution).acknowledge({ id, reason })
  }
}
