import * as v from 'valibot'
import { httpUrl } from '../../lib/settings/forms.ts'
import { objectOf } from '../../lib/settings/object-form.ts'
import type { Setting, SettingTable, ValueOf } from '../../lib/settings/setting.ts'
import { functionSettings } from '../../lib/settings/setting-table.ts'
import { addressSettings } from './address-settings.ts'
import { alarmSettings } from './alarm-settings.ts'
import { arn } from './arn-forms.ts'
import { capacitySettings } from './capacity-settings.ts'
import { keyNames, secretName, webhookSecretNames, yesOrNo } from './forms.ts'
import { stackSettings } from './stack-settings.ts'
import { storageSettings } from './storage-settings.ts'

/** How an update moves the traffic to its versions, by the value of the setting `trafficShift`. */
export const trafficShifts = {
  none: undefined,
  /** A tenth for five minutes, then everything. */
  canary: 'CodeDeployDefault.LambdaCanary10Percent5Minutes',
  /** A tenth more each minute. */
  linear: 'CodeDeployDefault.LambdaLinear10PercentEvery1Minute',
} as const

export type TrafficShift = keyof typeof trafficShifts

const pageMessage =
  'must be a host as browsers write it, such as "play.studio.example", without a scheme or a path'

/** A host, with its port if that is not 443. */
const host = v.pipe(
  v.string(pageMessage),
  v.check((text) => URL.parse(`https://${text}`)?.host === text, pageMessage),
)

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
  ...addressSettings,
  walletSignIn: {
    meaning:
      'lets players sign in with their wallets: `{}`, or with `page`, the host at which players see the page (by default that of `edge.domain`), `secret`, the name of the secret of its messages and tokens (`1`; another name makes a new one, and every player signs in again), and `smartAccounts`, whether [smart accounts](wallet-sign-in.md#smart-accounts) sign in (`true`), about which the indexer is asked; needs `edge`, and `assigned` as `userIds` ([sign-in with wallets](wallet-sign-in.md))',
    form: objectOf(
      {
        page: v.optional(host),
        secret: v.optional(secretName, '1'),
        smartAccounts: v.optional(yesOrNo, true),
      },
      'must be an object with "page", "secret" and "smartAccounts", all of them optional',
    ),
    optional: true,
  },
  webhooks: {
    meaning:
      'sends the events of products to their servers: `{}`, or with `secrets`, the generations of the secret from which those of webhooks follow (`["1"]`). New secrets follow from the first, and all of them sign. A name creates a secret of the stack; the complete ARN of a secret takes a retained one back; needs `followedChains` ([webhooks](webhooks.md))',
    form: objectOf(
      { secrets: v.optional(webhookSecretNames, ['1']) },
      'must be an object with "secrets", which is optional',
    ),
    optional: true,
  },
  ...alarmSettings,
  ...capacitySettings,
  trafficShift: {
    meaning:
      'how an update reaches what a running game needs: all at once (`none`), a tenth of the traffic for five minutes and then all (`canary`), or a tenth more each minute (`linear`); with the last two, an update that fails requests [turns back](changes.md#shifting-traffic)',
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
