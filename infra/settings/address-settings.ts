import * as v from 'valibot'
import { objectOf } from '../../lib/settings/object-form.ts'
import type { SettingTable } from '../../lib/settings/setting.ts'
import { arn, edgeCertificate, webAclArn } from './arn-forms.ts'
import { domainName, secretNames, yesOrNo } from './forms.ts'

/** The settings of the addresses of the API, and of what is in front of it (D54, D63). */
export const addressSettings = {
  domain: {
    meaning:
      'a domain of yours, and its certificate in the same Region: `{"name": "…", "certificateArn": "…"}`. Point a CNAME record at the output `DomainTarget`. The URL of the API itself stays valid',
    form: objectOf(
      { name: domainName, certificateArn: arn('acm', 'certificate', 'an ACM certificate') },
      'must be {"name", "certificateArn"}',
    ),
    optional: true,
  },
  executeApiEndpoint: {
    meaning:
      'whether the API also responds at its own address, the output `ApiUrl`; `false` needs a `domain` ([CloudFront](changes.md#cloudfront))',
    form: yesOrNo,
    default: true,
  },
  edge: {
    meaning:
      'a CloudFront distribution in front of the API: `{}`, or with `domain` (as above, with a certificate in us-east-1), `webAclArn`, `priceClass` (`100`, `200` or `all`, the default) and `secrets` ([CloudFront](changes.md#cloudfront))',
    form: objectOf(
      {
        domain: v.optional(
          objectOf(
            { name: domainName, certificateArn: edgeCertificate },
            'must be {"name", "certificateArn"}',
          ),
        ),
        webAclArn: v.optional(webAclArn),
        priceClass: v.optional(
          v.picklist(['100', '200', 'all'], 'must be one of 100, 200, all'),
          'all',
        ),
        secrets: v.optional(secretNames, ['1']),
      },
      'must be an object with "domain", "webAclArn", "priceClass" and "secrets", all of them optional',
    ),
    optional: true,
  },
  dashboard: {
    meaning:
      'whether the distribution also serves the dashboard for developers and the docs, at the output `DashboardUrl`; needs `edge` ([the dashboard](changes.md#the-dashboard))',
    form: yesOrNo,
    default: false,
  },
} as const satisfies SettingTable
