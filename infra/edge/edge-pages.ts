import { connectFile, connectPath } from '@player-nfts/dashboard/build/build-connect'
import { appSecurityHeaders } from '@player-nfts/dashboard/build/security-headers'
import { pagePaths } from '@player-nfts/dashboard/shell/page-paths'
import { Annotations, Duration } from 'aws-cdk-lib'
import {
  AccessLevel,
  AllowedMethods,
  type BehaviorOptions,
  CachePolicy,
  Function as CloudFrontFunction,
  FunctionCode,
  FunctionEventType,
  FunctionRuntime,
  type HeadersReferrerPolicy,
  ResponseHeadersPolicy,
  S3OriginAccessControl,
  ViewerProtocolPolicy,
} from 'aws-cdk-lib/aws-cloudfront'
import { S3BucketOrigin } from 'aws-cdk-lib/aws-cloudfront-origins'
import type { IBucket } from 'aws-cdk-lib/aws-s3'
import { Construct } from 'constructs'
import { globalName } from './edge-api.ts'

/** Which pages a distribution has. */
export interface Pages {
  /** The pages of the dashboard, and the documentation (D63). */
  readonly dashboard: boolean
  /** The page on which players sign in with their wallets (D114). */
  readonly connect: boolean
}

/** The behaviors that serve compressed pages from a bucket. The cache follows the Cache-Control of each file. */
export class EdgePages extends Construct {
  /** With the dashboard, for every path that no other behavior has. */
  readonly app: BehaviorOptions | undefined
  /** Without it, for the page on which players sign in and its files, by path pattern. */
  readonly others: Record<string, BehaviorOptions>

  constructor(scope: Construct, id: string, bucket: IBucket, pages: Pages) {
    super(scope, id)
    Annotations.of(scope).acknowledgeWarning(
      '@aws-cdk/aws-cloudfront-origins:listBucketSecurityRisk',
      'The distribution has a default root object, and passes no query that lists the bucket.',
    )
    const files: BehaviorOptions = {
      // Without the permission to list, S3 responds with 403 in place of 404.
      origin: S3BucketOrigin.withOriginAccessControl(bucket, {
        originAccessLevels: [AccessLevel.READ, AccessLevel.LIST],
        originAccessControl: new S3OriginAccessControl(this, 'Access', {
          originAccessControlName: globalName(this, 'dashboard'),
        }),
      }),
      viewerProtocolPolicy: ViewerProtocolPolicy.REDIRECT_TO_HTTPS,
      allowedMethods: AllowedMethods.ALLOW_GET_HEAD,
      compress: true,
      // A file without a maximum age is fetched again after a second.
      cachePolicy: CachePolicy.CACHING_OPTIMIZED,
      functionAssociations: [
        {
          eventType: FunctionEventType.VIEWER_REQUEST,
          function: new CloudFrontFunction(this, 'Paths', {
            functionName: globalName(this, 'pages'),
            comment: 'The file of each page',
            runtime: FunctionRuntime.JS_2_0,
            code: FunctionCode.fromInline(pageFunction(pages)),
          }),
        },
      ],
      responseHeadersPolicy: this.securityHeaders(),
    }
    this.app = pages.dashboard ? files : undefined
    this.others = pages.dashboard
      ? {}
      : { [connectPath]: files, '/assets/*': files, '/icon.svg': files }
  }

  private securityHeaders(): ResponseHeadersPolicy {
    // CloudFront has a setting of its own for each of these headers, and rejects them as custom headers.
    const {
      'content-security-policy': contentSecurityPolicy = '',
      'referrer-policy': referrerPolicy = '',
      'x-content-type-options': _nosniff,
      ...others
    } = appSecurityHeaders()
    return new ResponseHeadersPolicy(this, 'App', {
      responseHeadersPolicyName: globalName(this, 'dashboard'),
      comment: 'The security headers of the dashboard',
      securityHeadersBehavior: {
        contentSecurityPolicy: { contentSecurityPolicy, override: true },
        contentTypeOptions: { override: true },
        referrerPolicy: { referrerPolicy: referrerPolicy as HeadersReferrerPolicy, override: true },
        strictTransportSecurity: { accessControlMaxAge: Duration.days(365), override: true },
      },
      customHeadersBehavior: {
        customHeaders: Object.entries(others).map(([header, value]) => ({
          ...{ header, value, override: true },
        })),
      },
    })
  }
}

/**
 * The code of the CloudFront function that names the file of each page, as the local stack does: every page of the
 * dashboard is `index.html`, so that links into the dashboard work. Other paths are names of files, and S3 responds
 * with 404 if there is no such file. CloudFront's JavaScript has no destructuring.
 */
export const pageFunction = ({
  connect = false,
}: Partial<Pages> = {}): string => `const pages = ${pagePattern()}

function handler(event) {
  const request = event.request
  if (request.uri === '/docs' || request.uri === '/docs/') {
    return {
      statusCode: 307,
      statusDescription: 'Temporary Redirect',
      headers: { location: { value: '/docs/index.html' } },
    }
  }
  if (pages.test(request.uri)) request.uri = '/index.html'
${connect ? ofConnect : ''}  return request
}
`

const ofConnect = `  if (request.uri === '${connectPath}') request.uri = '${connectFile}'
`

/** A pattern of the paths of all pages. A slash at the end does not count. */
function pagePattern(): RegExp {
  const paths = Object.values(pagePaths).map((path) =>
    path.replace(/\/$/, '').replaceAll(/:\w+/g, '[^/]+'),
  )
  return new RegExp(`^(?:${paths.join('|')})/?$`)
}
