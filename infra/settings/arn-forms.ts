import * as v from 'valibot'

/** A text of this form, with one message for everything else. */
export const text = (form: RegExp, message: string) =>
  v.pipe(v.string(message), v.regex(form, message))

// The forms of ARNs. Each message completes a sentence that begins with the setting's name.

/** The parts of an ARN that say where its resource is. Empty text stands for every Region, or account. */
export interface Place {
  readonly region: string
  readonly account: string
}

/** Where the resource of an ARN is. */
export function placeOf(arn: string): Place {
  const [, , , region = '', account = ''] = arn.split(':')
  return { region, account }
}

/** The ARN of a resource of this service and kind; the message calls it `noun`. */
export const arn = (service: string, resource: string, noun: string) =>
  text(
    new RegExp(`^arn:aws[a-z-]*:${service}:[a-z0-9-]*:\\d{12}:${resource}/\\S+$`),
    `must be the ARN of ${noun}`,
  )

/** The ARN of a topic of SNS. */
export const topicArn = text(
  /^arn:aws[a-z-]*:sns:[a-z0-9-]+:\d{12}:[\w-]{1,256}$/,
  'must be the ARN of an SNS topic',
)

/** CloudFront uses only certificates and web ACLs of this Region. */
const globalRegion = 'us-east-1'

/** The ARN of a certificate that CloudFront can use. */
export const edgeCertificate = v.pipe(
  arn('acm', 'certificate', 'an ACM certificate'),
  v.check(
    (text) => placeOf(text).region === globalRegion,
    `must be a certificate in ${globalRegion}, because CloudFront uses no other Region`,
  ),
)

/** The ARN of a web ACL that CloudFront can use. */
export const webAclArn = text(
  new RegExp(`^arn:aws[a-z-]*:wafv2:${globalRegion}:\\d{12}:global/webacl/[\\w-]+/[0-9a-f-]+$`),
  `must be the ARN of a web ACL of AWS WAF with the scope CLOUDFRONT, which is in ${globalRegion}`,
)

/** The complete ARN of a secret. */
export const secretArn = text(
  /^arn:aws[a-z-]*:secretsmanager:[a-z0-9-]+:\d{12}:secret:[\w/+=.@-]+-[a-zA-Z0-9]{6}$/,
  'must be the complete ARN of a secret of Secrets Manager, with the six characters that Secrets Manager has added to its name',
)

/** The ARN of a backup vault. */
export const backupVaultArn = text(
  /^arn:aws[a-z-]*:backup:[a-z0-9-]+:\d{12}:backup-vault:[a-zA-Z0-9_-]{2,50}$/,
  'must be the ARN of a backup vault, such as "arn:aws:backup:eu-central-1:210987654321:backup-vault:player-nfts"',
)
