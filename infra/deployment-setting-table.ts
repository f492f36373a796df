import * as v from 'valibot'
import { operationIds } from '../lib/contract/routes.ts'
import { functionTimeoutSeconds } from '../lib/domain/time-budget.ts'
import { httpUrl, text, wholeNumber } from '../lib/settings/forms.ts'
import type { Setting, SettingTable } from '../lib/settings/setting.ts'
import * as functionSettings from '../lib/settings/setting-table.ts'
import { alarmSettings } from './alarm-setting-table.ts'
import { stages } from './stages.ts'
import { type TrafficShift, trafficShifts } from './traffic-shift.ts'

const tableName = v.pipe(
  v.string('must be the name of a table'),
  v.regex(
    /^[a-zA-Z0-9_.-]{3,255}$/,
    'must be the name of a table, such as "player-nfts-restored", not its ARN (3 to 255 of a-z, A-Z, 0-9, "_", "." and "-")',
  ),
)

const yesOrNo = v.boolean('must be true or false')

const arn = (service: string, resource: string, noun: string) => {
  const message = `must be the ARN of ${noun}`
  return v.pipe(
    v.string(message),
    v.regex(new RegExp(`^arn:aws[a-z-]*:${service}:[a-z0-9-]*:\\d{12}:${resource}/\\S+$`), message),
  )
}

/** CloudFront uses only certificates and web ACLs of this Region. */
const globalRegion = 'us-east-1'

const edgeCertificate = v.pipe(
  arn('acm', 'certificate', 'an ACM certificate'),
  v.check(
    (text) => text.split(':')[3] === globalRegion,
    `must be a certificate in ${globalRegion}, because CloudFront uses no other Region`,
  ),
)

const webAclMessage = `must be the ARN of a web ACL of AWS WAF with the scope CLOUDFRONT, which is in ${globalRegion}`

const webAclArn = v.pipe(
  v.string(webAclMessage),
  v.regex(
    new RegExp(`^arn:aws[a-z-]*:wafv2:${globalRegion}:\\d{12}:global/webacl/[\\w-]+/[0-9a-f-]+$`),
    webAclMessage,
  ),
)

/** The generations of the secret that the distribution sends. */
const secretNames = v.pipe(
  v.array(
    v.pipe(v.string(), v.regex(/^[a-z0-9][a-z0-9-]{0,31}$/, 'must be 1 to 32 of a-z, 0-9 and "-"')),
    'must be a list',
  ),
  v.minLength(1, 'must name at least one secret'),
  v.maxLength(3, 'must name at most three secrets'),
  v.check((names) => new Set(names).size === names.length, 'must not name a secret twice'),
)

const keyMessage = 'must be 1 to 32 of a-z, 0-9 and "-", or the ARN of a KMS key'

/** The generations of a signing key: the names of the stack's own keys, and the ARNs of others. */
const keyNames = v.pipe(
  v.array(
    v.union(
      [v.pipe(v.string(), v.regex(/^[a-z0-9][a-z0-9-]{0,31}$/)), arn('kms', 'key', 'a KMS key')],
      keyMessage,
    ),
    'must be a list',
  ),
  v.minLength(1, 'must name at least one key'),
  v.maxLength(5, 'must name at most five keys'),
  v.check((names) => new Set(names).size === names.length, 'must not name a key twice'),
)

/** The concurrent executions that are reserved for functions. */
const reservations = v.lazy((value) => (value === 'none' ? v.literal('none') : reservationOfEach))

const reservationOfEach = v.record(
  v.picklist([...operationIds, 'workQueue'], 'is not a function'),
  v.nullable(wholeNumber(1, 10_000)),
  'must be an object with a number or null for each function, or "none"',
)

/** The retention periods that CloudWatch Logs offers, in days. */
const retentionDays = [1, 3, 5, 7, 14, 30, 60, 90, 120, 150, 180, 365, 400, 545, 731, 1827, 3653]

/** The settings that only a deployment has. */
const ownSettings = {
  stage: {
    meaning:
      '`dev`, `prod` or, for AWS emulators, `local` ([local AWS](local-aws.md)); selects the defaults. The name of the stack is `PlayerNfts-<stage>`',
    form: v.picklist(stages, `must be one of ${stages.join(', ')}`),
    default: 'dev',
  },
  awsEndpointUrl: {
    meaning:
      'in the stage `local` only: the endpoint that replaces AWS for the functions; by default `http://127.0.0.1:4566`',
    form: httpUrl,
    optional: true,
  },
  loginRoleArn: {
    meaning:
      'the role that signs user JWTs with the key of the stack ([connecting a login](operations.md#connecting-a-login))',
    form: arn('iam', 'role', 'an IAM role'),
    optional: true,
  },
  playerTokenKeys: {
    meaning:
      'the generations of the player token key: all are accepted, and the first signs. A name creates a key of the stack; the ARN of a KMS key takes a retained key back ([rotating a key](operations.md#rotating-a-key))',
    form: keyNames,
    default: ['1'],
  },
  userJwtKeys: {
    meaning: 'the same for the user JWT key',
    form: keyNames,
    default: ['1'],
  },
  dropAllKeys: {
    meaning:
      'whether this deployment may drop all keys of player tokens or of user JWTs at once, for example after a leak: every token is then rejected ([rotating a key](operations.md#rotating-a-key))',
    form: yesOrNo,
    default: false,
  },
  registrationOpen: {
    meaning:
      'whether anybody can register a product ([closed registration](operations.md#closed-registration))',
    form: yesOrNo,
    ifMissing:
      'must be set: with true, anybody can register products, which the limits of registrations bound; with false, only callers with an IAM permission in your account can',
  },
  domain: {
    meaning:
      'a domain of yours, and its certificate in the same Region: `{"name": "…", "certificateArn": "…"}`. Point a CNAME record at the output `DomainTarget`. The URL of the API itself stays valid',
    form: v.strictObject(
      { name: text, certificateArn: arn('acm', 'certificate', 'an ACM certificate') },
      'must be {"name", "certificateArn"}',
    ),
    optional: true,
  },
  executeApiEndpoint: {
    meaning:
      'whether the API also responds at its own address, the output `ApiUrl`; `false` needs a `domain` ([CloudFront](operations.md#cloudfront))',
    form: yesOrNo,
    default: true,
  },
  edge: {
    meaning:
      'a CloudFront distribution in front of the API: `{}`, or with `domain` (as above, with a certificate in us-east-1), `webAclArn`, `priceClass` (`100`, `200` or `all`, the default) and `secrets` ([CloudFront](operations.md#cloudfront))',
    form: v.strictObject(
      {
        domain: v.optional(
          v.strictObject(
            { name: text, certificateArn: edgeCertificate },
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
      'whether the distribution also serves the dashboard for developers, at the output `DashboardUrl`; needs `edge` ([the dashboard](operations.md#the-dashboard))',
    form: yesOrNo,
    default: false,
  },
  ...alarmSettings,
  accountConcurrency: {
    meaning:
      "the account's quota of concurrent executions, from which the [throttles](operations.md#throttles) follow",
    form: wholeNumber(10, 1_000_000),
    // The quota of a Region of an account. New accounts start with less.
    default: 1_000,
  },
  reservedConcurrency: {
    meaning:
      'concurrent executions that are reserved for a function, and are also its maximum: `{"registerProduct": 10, "getOpenapi": null}`. Functions that need no API key have [defaults](operations.md#concurrency); `null` reserves nothing for one function, and `"none"` reserves nothing at all',
    form: reservations,
    default: {},
  },
  slowestOpenCallSeconds: {
    meaning:
      'the duration of the slowest call of an open operation, from which the throttles follow too',
    form: wholeNumber(1, functionTimeoutSeconds),
    default: functionTimeoutSeconds,
  },
  indexerUnitsPerSecond: {
    meaning: 'the compute units per second of your Alchemy plan',
    form: wholeNumber(50, 1_000_000),
    // Alchemy's free plan.
    default: 500,
  },
  indexerUnitsPerMonth: {
    meaning:
      'the compute units per month that your Alchemy plan includes, or that you want to pay for',
    form: wholeNumber(1_000, 1_000_000_000_000),
    // Alchemy's free plan.
    default: 30_000_000,
  },
  trafficShift: {
    meaning:
      'how an update reaches the callers: all at once (`none`), a tenth of the traffic for five minutes and then all (`canary`), or a tenth more each minute (`linear`); with the last two, an update that fails requests [turns back](operations.md#shifting-traffic)',
    form: v.picklist(
      Object.keys(trafficShifts) as TrafficShift[],
      `must be one of ${Object.keys(trafficShifts).join(', ')}`,
    ),
    default: 'none',
  },
  restoredTable: {
    meaning:
      "the name of a table that replaces the stack's own table ([restoring](operations.md#restoring-the-table))",
    form: tableName,
    optional: true,
  },
  maintenance: {
    meaning:
      'whether every operation that needs the table responds with 503 and the background work pauses ([restoring](operations.md#restoring-the-table))',
    form: yesOrNo,
    default: false,
  },
  keepData: {
    meaning:
      'deletion protection and termination protection: table, keys, secret and logs remain when the stack is deleted',
    form: yesOrNo,
  },
  logRetentionDays: {
    meaning: 'the retention of the logs in days',
    form: v.picklist(retentionDays, `must be one of ${retentionDays.join(', ')}`),
  },
} as const satisfies SettingTable

type FunctionSettings = typeof functionSettings

/** The rows of the functions' settings that a deployment can set, under their names in a deployment. */
type SharedSettings = {
  [Variable in keyof FunctionSettings as FunctionSettings[Variable] extends {
    inDeployment: infer Name extends string
  }
    ? Name
    : never]: FunctionSettings[Variable]
}

const sharedSettings = Object.fromEntries(
  Object.values<Setting>(functionSettings).flatMap((row) => {
    const { inDeployment, default: ofFunctions, ...rest } = row
    if (inDeployment === undefined) return []
    // The functions apply the default of an optional setting themselves.
    return [[inDeployment, rest.optional ? rest : row]]
  }),
) as SharedSettings

/** All settings of a deployment: the settings of its functions, and its own. */
export const deploymentSettingTable = { ...sharedSettings, ...ownSettings }
