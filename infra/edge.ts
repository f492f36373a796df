import { CfnOutput, Duration, Stack, Validations } from 'aws-cdk-lib'
import { Certificate } from 'aws-cdk-lib/aws-certificatemanager'
import {
  AllowedMethods,
  type BehaviorOptions,
  CacheCookieBehavior,
  CacheHeaderBehavior,
  CachePolicy,
  CacheQueryStringBehavior,
  Distribution,
  HttpVersion,
  OriginProtocolPolicy,
  OriginRequestCookieBehavior,
  OriginRequestHeaderBehavior,
  OriginRequestPolicy,
  OriginRequestQueryStringBehavior,
  OriginSslPolicy,
  PriceClass,
  ResponseHeadersPolicy,
  SecurityPolicyProtocol,
  ViewerProtocolPolicy,
} from 'aws-cdk-lib/aws-cloudfront'
import { HttpOrigin } from 'aws-cdk-lib/aws-cloudfront-origins'
import { Construct } from 'constructs'
import { cors } from '../lib/contract/cors.ts'
import type { Route } from '../lib/contract/route.ts'
import { routes } from '../lib/contract/routes.ts'
import type { HttpApi } from './http-api.ts'
import type { OriginSecrets } from './origin-secrets.ts'
import type { Settings } from './settings.ts'

export interface EdgeProps {
  readonly api: HttpApi
  readonly secrets: OriginSecrets
  readonly settings: Settings & Required<Pick<Settings, 'edge'>>
}

/** The header with the proof. lib/http/source-address.ts has the names in lower case. */
const originSecretHeader = 'X-Origin-Secret'
const viewerAddressHeader = 'CloudFront-Viewer-Address'

/** What API Gateway reads in a preflight request (D6). */
const preflightHeaders = [
  'Origin',
  'Access-Control-Request-Method',
  'Access-Control-Request-Headers',
]

/** The headers that change a response. As a part of the cache key, they reach the origin. */
const credentialHeaders = ['X-Api-Key', 'Authorization', 'X-Player-Token']

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
 * with which the functions believe it (D54).
 */
export class Edge extends Construct {
  constructor(scope: Construct, id: string, { api, secrets, settings }: EdgeProps) {
    super(scope, id)
    const { domain, webAclArn, priceClass } = settings.edge
    const origin = new HttpOrigin(api.originHost(settings), {
      protocolPolicy: OriginProtocolPolicy.HTTPS_ONLY,
      originSslProtocols: [OriginSslPolicy.TLS_V1_2],
      readTimeout: originReadTimeout,
      keepaliveTimeout: Duration.seconds(60),
      customHeaders: { [originSecretHeader]: secrets.sent },
    })
    const documents = { origin, ...this.documentBehavior() }
    const distribution = new Distribution(this, 'Distribution', {
      comment: Stack.of(this).stackName,
      defaultBehavior: { origin, ...this.requestBehavior() },
      additionalBehaviors: Object.fromEntries(
        cachedRoutes().flatMap(({ paths }) => paths.map((path) => [path, documents])),
      ),
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
    new CfnOutput(this, 'Url', {
      value: `https://${domain?.name ?? distribution.distributionDomainName}`,
    }).overrideLogicalId('EdgeUrl')
    new CfnOutput(this, 'Target', {
      value: distribution.distributionDomainName,
    }).overrideLogicalId('EdgeTarget')
  }

  /** Policies of CloudFront have names that are unique in the account, in all Regions together. */
  private globalName(name: string): string {
    const { stackName, region } = Stack.of(this)
    return `${stackName}-${region}-${name}`
  }

  /** Requests with credentials. Their responses have `no-store` (D5), and a cache key of their own. */
  private requestBehavior(): Omit<BehaviorOptions, 'origin'> {
    return {
      viewerProtocolPolicy: ViewerProtocolPolicy.HTTPS_ONLY,
      allowedMethods: AllowedMethods.ALLOW_ALL,
      compress: false,
      cachePolicy: new CachePolicy(this, 'Requests', {
        cachePolicyName: this.globalName('requests'),
        comment: 'Nothing is cached that the origin does not permit to cache',
        minTtl: Duration.seconds(0),
        defaultTtl: Duration.seconds(0),
        // CloudFront forwards Authorization only as a part of a cache key, which needs a TTL above 0.
        maxTtl: Duration.seconds(1),
        headerBehavior: CacheHeaderBehavior.allowList(...credentialHeaders),
        queryStringBehavior: CacheQueryStringBehavior.all(),
        cookieBehavior: CacheCookieBehavior.none(),
      }),
      originRequestPolicy: new OriginRequestPolicy(this, 'Origin', {
        originRequestPolicyName: this.globalName('requests'),
        comment: 'The host of the origin, and the address of the viewer',
        headerBehavior: OriginRequestHeaderBehavior.allowList(
          'Content-Type',
          ...preflightHeaders,
          viewerAddressHeader,
        ),
        queryStringBehavior: OriginRequestQueryStringBehavior.all(),
        cookieBehavior: OriginRequestCookieBehavior.none(),
      }),
    }
  }

  /** Documents that are the same for all callers. They are cached for the `max-age` of their responses (D5). */
  private documentBehavior(): Omit<BehaviorOptions, 'origin'> {
    return {
      viewerProtocolPolicy: ViewerProtocolPolicy.HTTPS_ONLY,
      allowedMethods: AllowedMethods.ALLOW_GET_HEAD_OPTIONS,
      compress: true,
      cachePolicy: new CachePolicy(this, 'Documents', {
        cachePolicyName: this.globalName('documents'),
        comment: 'The max-age of the origin',
        minTtl: Duration.seconds(0),
        defaultTtl: Duration.seconds(0),
        maxTtl: Duration.seconds(Math.max(...cachedRoutes().map((each) => each.maxAgeSeconds))),
        headerBehavior: CacheHeaderBehavior.none(),
        queryStringBehavior: CacheQueryStringBehavior.none(),
        cookieBehavior: CacheCookieBehavior.none(),
        enableAcceptEncodingGzip: true,
        enableAcceptEncodingBrotli: true,
      }),
      originRequestPolicy: new OriginRequestPolicy(this, 'Preflight', {
        originRequestPolicyName: this.globalName('preflights'),
        comment: 'The headers of preflight requests',
        headerBehavior: OriginRequestHeaderBehavior.allowList(...preflightHeaders),
        queryStringBehavior: OriginRequestQueryStringBehavior.none(),
        cookieBehavior: OriginRequestCookieBehavior.none(),
      }),
      // The request that filled the cache may have come without an origin, and its response without CORS headers.
      responseHeadersPolicy: new ResponseHeadersPolicy(this, 'Cors', {
        responseHeadersPolicyName: this.globalName('cors'),
        comment: 'The CORS headers of the API',
        corsBehavior: {
          accessControlAllowCredentials: false,
          accessControlAllowOrigins: [...cors.allowOrigins],
          accessControlAllowMethods: [...cors.allowMethods],
          accessControlAllowHeaders: [...cors.allowHeaders],
          accessControlExposeHeaders: [...cors.exposeHeaders],
          accessControlMaxAge: Duration.seconds(cors.maxAgeSeconds),
          originOverride: true,
        },
      }),
    }
  }
}

/** The routes whose responses may be cached. */
const cachedRoutes = () =>
  Object.values<Route>(routes).flatMap(({ paths, maxAgeSeconds }) =>
    maxAgeSeconds === undefined ? [] : [{ paths, maxAgeSeconds }],
  )

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
