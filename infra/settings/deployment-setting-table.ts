import * as v from 'valibot'
import { functionTimeoutSeconds } from '../../lib/domain/time-budget.ts'
import { httpUrl, wholeNumber } from '../../lib/settings/forms.ts'
import type { Setting, SettingTable, ValueOf } from '../../lib/settings/setting.ts'
import { functionSettings } from '../../lib/settings/setting-table.ts'
import { alarmSettings } from './alarm-settings.ts'
import {
  arn,
  domainName,
  edgeCertificate,
  keyNames,
  objectOf,
  reservations,
  secretNames,
  webAclArn,
  yesOrNo,
} from './forms.ts'
import { stackSettings } from './stack-settings.ts'
import { storageSettings } from './storage-settings.ts'
import { type TrafficShift, trafficShifts } from './traffic-shift.ts'

/** The settings that only a deployment has, beside those of {@link stackSettings} and {@link storageSettings}. */
const ownSettings = {
  awsEndpointUrl: {
    meaning:
      'in the stage `local` only: the endpoint that replaces AWS for the functions; by default `http://127.0.0.1:4566`',
    form: httpUrl,
    optional: true,
  },
  loginRoleArn: {
    meaning:
      'the role that signs user JWTs with the key of the stack ([connecting a login](changes.md#connecting-a-login))',
    form: arn('iam', 'role', 'an IAM role'),
    optional: true,
  },
  playerTokenKeys: {
    meaning:
      'the generations of the player token key: all are accepted, and the first signs. A name creates a key of the stack; the ARN of a KMS key takes a retained key back ([rotating a key](changes.md#rotating-a-key))',
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
      'whether this one deployment may drop the keys of player tokens or of user JWTs, or sign with a new key at once, for example after a leak: valid tokens are then rejected. It has no effect if the deployment before had it too ([a deploy that drops all keys](runbook.md#dropping-all-keys))',
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
      'whether the distribution also serves the dashboard for developers, at the output `DashboardUrl`; needs `edge` ([the dashboard](changes.md#the-dashboard))',
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
  gatewayRequestsPerSecond: {
    meaning:
      "your account's quota of API Gateway in requests a second, if it is not the default of the Region, which is 10,000, or 2,500 in [some](operations.md#throttles). No throttle is above it",
    form: wholeNumber(1, 1_000_000),
    optional: true,
  },
  gatewayBurst: {
    meaning:
      'the requests at once that this quota permits, if they are not the default of the Region, which is 5,000 or 1,250. No throttle is above it',
    form: wholeNumber(1, 1_000_000),
    optional: true,
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
      'how an update reaches the callers: all at once (`none`), a tenth of the traffic for five minutes and then all (`canary`), or a tenth more each minute (`linear`); with the last two, an update that fails requests [turns back](changes.md#shifting-traffic)',
    form: v.picklist(
      Object.keys(trafficShifts) as TrafficShift[],
      `must be one of ${Object.keys(trafficShifts).join(', ')}`,
    ),
    default: 'none',
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
export const deploymentSettingTable = {
  ...stackSettings,
  ...sharedSettings,
  ...ownSettings,
  ...storageSettings,
}

type Table = typeof deploymentSettingTable

type OptionalName = {
  [Name in keyof Table]: Table[Name] extends { optional: true } ? Name : never
}[keyof Table]

/** The settings of a deployment: everything in which two deployments can differ. */
export type DeploymentSettings = {
  readonly [Name in Exclude<keyof Table, OptionalName>]: ValueOf<Table[Name]>
} & {
  readonly [Name in OptionalName]?: Exclude<ValueOf<Table[Name]>, undefined>
}
