import { Duration, Stack } from 'aws-cdk-lib'
import {
  AllowedMethods,
  type BehaviorOptions,
  CacheCookieBehavior,
  CacheHeaderBehavior,
  CachePolicy,
  CacheQueryStringBehavior,
  OriginRequestCookieBehavior,
  OriginRequestHeaderBehavior,
  OriginRequestPolicy,
  OriginRequestQueryStringBehavior,
  ResponseHeadersPolicy,
  ViewerProtocolPolicy,
} from 'aws-cdk-lib/aws-cloudfront'
import type { Construct } from 'constructs'
import { cors } from '../../lib/contract/cors.ts'
import type { Route } from '../../lib/contract/route.ts'

/** lib/http/source-address.ts has the name in lower case. */
const viewerAddressHeader = 'CloudFront-Viewer-Address'

/** What API Gateway reads in a preflight request (D6). */
const preflightHeaders = [
  'Origin',
  'Access-Control-Request-Method',
  'Access-Control-Request-Headers',
]

/** The headers that change a response. As a part of the cache key, they reach the origin. */
const credentialHeaders = ['X-Api-Key', 'Authorization', 'X-Player-Token']

/** Policies and functions of CloudFront have names that are unique in the account, in all Regions together. */
export function globalName(scope: Construct, name: string): string {
  const { stackName, region } = Stack.of(scope)
  return `${stackName}-${region}-${name}`
}

/** Requests with credentials. Their responses have `no-store` (D5), and a cache key of their own. */
export function requestBehavior(scope: Construct): Omit<BehaviorOptions, 'origin'> {
  return {
    viewerProtocolPolicy: ViewerProtocolPolicy.HTTPS_ONLY,
    allowedMethods: AllowedMethods.ALLOW_ALL,
    compress: false,
    cachePolicy: new CachePolicy(scope, 'Requests', {
      cachePolicyName: globalName(scope, 'requests'),
      comment: 'Nothing is cached that the origin does not permit to cache',
      minTtl: Duration.seconds(0),
      defaultTtl: Duration.seconds(0),
      // CloudFront forwards Authorization only as a part of a cache key, which needs a TTL above 0.
      maxTtl: Duration.seconds(1),
      headerBehavior: CacheHeaderBehavior.allowList(...credentialHeaders),
      queryStringBehavior: CacheQueryStringBehavior.all(),
      cookieBehavior: CacheCookieBehavior.none(),
    }),
    originRequestPolicy: new OriginRequestPolicy(scope, 'Origin', {
      originRequestPolicyName: globalName(scope, 'requests'),
      comment: 'The host of the origin, and the address of the viewer',
      headerBehavior: OriginRequestHeaderBehavior.allowList(
        'Content-Type',
        'Cache-Control',
        ...preflightHeaders,
        // Beside Origin, what says whether a web page sends a request (D131).
        'Sec-Fetch-Site',
        viewerAddressHeader,
      ),
      queryStringBehavior: OriginRequestQueryStringBehavior.all(),
      cookieBehavior: OriginRequestCookieBehavior.none(),
    }),
  }
}

/** Documents that are the same for all callers. They are cached for the `max-age` of their responses (D5). */
export function documentBehavior(
  scope: Construct,
  operations: readonly Route[],
): Omit<BehaviorOptions, 'origin'> {
  const maxAges = cachedRoutes(operations).map(({ maxAgeSeconds }) => maxAgeSeconds)
  return {
    viewerProtocolPolicy: ViewerProtocolPolicy.HTTPS_ONLY,
    allowedMethods: AllowedMethods.ALLOW_GET_HEAD_OPTIONS,
    compress: true,
    cachePolicy: new CachePolicy(scope, 'Documents', {
      cachePolicyName: globalName(scope, 'documents'),
      comment: 'The max-age of the origin',
      minTtl: Duration.seconds(0),
      defaultTtl: Duration.seconds(0),
      maxTtl: Duration.seconds(Math.max(...maxAges)),
      headerBehavior: CacheHeaderBehavior.none(),
      queryStringBehavior: CacheQueryStringBehavior.none(),
      cookieBehavior: CacheCookieBehavior.none(),
      enableAcceptEncodingGzip: true,
      enableAcceptEncodingBrotli: true,
    }),
    originRequestPolicy: new OriginRequestPolicy(scope, 'Preflight', {
      originRequestPolicyName: globalName(scope, 'preflights'),
      comment: 'The headers of preflight requests',
      headerBehavior: OriginRequestHeaderBehavior.allowList(...preflightHeaders),
      queryStringBehavior: OriginRequestQueryStringBehavior.none(),
      cookieBehavior: OriginRequestCookieBehavior.none(),
    }),
    // The request that filled the cache may have come without an origin, and its response without CORS headers.
    responseHeadersPolicy: new ResponseHeadersPolicy(scope, 'Cors', {
      responseHeadersPolicyName: globalName(scope, 'cors'),
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

/** The routes whose responses may be cached. */
export const cachedRoutes = (operations: readonly Route[]) =>
  operations.flatMap(({ paths, maxAgeSeconds }) =>
    maxAgeSeconds === undefined ? [] : [{ paths, maxAgeSeconds }],
  )
