import type { Environment } from 'aws-cdk-lib'
import { type Place, placeOf } from './arn-forms.ts'
import { brokenRules } from './faults.ts'
import { InvalidDeploymentSettings, type Settings } from './settings.ts'

/** The keys of a context that the CDK command and its packages set themselves. */
const ofCdk = /^(aws:|@|acknowledged-issue-numbers$)|:account=/

/**
 * The name of the settings file in a context (`-c settings=<file>`), if it has one. Throws InvalidDeploymentSettings
 * if the context has a key that nothing reads, so that a misspelt key does not deploy the defaults.
 */
export function settingsFileIn(context: Readonly<Record<string, unknown>>): string | undefined {
  const unknown = Object.keys(context).filter((key) => key !== 'settings' && !ofCdk.test(key))
  if (unknown.length > 0) {
    const keys = unknown.map((key) => JSON.stringify(key)).join(', ')
    throw new InvalidDeploymentSettings(
      `The context has keys that this app does not read: ${keys}. It reads -c settings=<file>.`,
    )
  }
  const { settings } = context
  return settings === undefined ? undefined : `${settings}`
}

/** The account and the Region for which the CDK command has credentials, as it tells the app. */
export interface CurrentTarget {
  readonly CDK_DEFAULT_ACCOUNT?: string | undefined
  readonly CDK_DEFAULT_REGION?: string | undefined
}

/**
 * The account and the Region of the stack, as far as the settings name them. Throws InvalidDeploymentSettings if the
 * current credentials are for others, or if AWS would refuse a resource of the settings because it is elsewhere. Without
 * credentials, nothing can be deployed, and a template can be read.
 */
export function targetOf(settings: Settings, current: CurrentTarget): Environment {
  const { account, region } = settings
  const { CDK_DEFAULT_ACCOUNT: inAccount, CDK_DEFAULT_REGION: inRegion } = current
  const faults = brokenRules({
    [`account is ${account}, but the credentials are for the account ${inAccount}`]:
      account !== undefined && account !== inAccount,
    [`region is ${region}, but AWS_REGION or the profile is for ${inRegion}`]:
      region !== undefined && region !== inRegion,
  })
  if (inAccount && faults.length > 0) {
    throw new InvalidDeploymentSettings(
      ['The settings are not for this account or Region:', ...faults].join('\n- '),
    )
  }
  const target = { ...(account && { account }), ...(region && { region }) }
  // Without credentials, the Region of the CDK command is one that nobody has chosen.
  const elsewhere = placeFaults(
    settings,
    inAccount ? { account: inAccount, region: inRegion } : target,
  )
  if (elsewhere.length > 0) {
    throw new InvalidDeploymentSettings(
      ['The settings name resources that AWS would refuse:', ...elsewhere].join('\n- '),
    )
  }
  return target
}

type KnownPlace = { readonly [Part in keyof Place]?: Place[Part] | undefined }

/** The parts of its place that the resource of a setting shares with the stack, because AWS refuses others. */
type Shared = readonly (keyof Place)[]

/** The ARNs in settings, by the path of their setting. CloudFront and its certificate are in no Region of a stack. */
const arnsIn = ({
  playerTokenKeys,
  userJwtKeys,
  tableKeyArn,
  indexerSecretArn,
  alarmTopicArn,
  domain,
  edge,
  webhooks,
}: Settings): [path: string, arn: string | undefined, shared: Shared][] => [
  ...arnsOf('playerTokenKeys', playerTokenKeys, ['region', 'account']),
  ...arnsOf('userJwtKeys', userJwtKeys, ['region', 'account']),
  ['tableKeyArn', tableKeyArn, ['region']],
  ['indexerSecretArn', indexerSecretArn, ['region']],
  ...arnsOf('webhooks.secrets', webhooks?.secrets ?? [], ['region']),
  ['alarmTopicArn', alarmTopicArn, ['region']],
  ['domain.certificateArn', domain?.certificateArn, ['region', 'account']],
  ['edge.domain.certificateArn', edge?.domain?.certificateArn, ['account']],
  ['edge.webAclArn', edge?.webAclArn, ['account']],
]

/** The ARNs among the names of a setting. The alias of a key that signs, the first, is in the account of the key. */
const arnsOf = (setting: string, names: readonly string[], ofFirst: Shared) =>
  names.flatMap((name, index): [string, string, Shared][] =>
    name.startsWith('arn:')
      ? [[`${setting}.${index}`, name, index === 0 ? ofFirst : ['region']]]
      : [],
  )

const nouns = { region: 'the Region', account: 'the account' } as const

/**
 * The faults of settings whose resources are in another Region or account than the stack, where AWS refuses that, and of a
 * backup that would be copied onto itself. What is not known of the place of the stack is no fault.
 */
function placeFaults(settings: Settings, stack: KnownPlace): string[] {
  const elsewhere = arnsIn(settings).flatMap(([path, arn, shared]) =>
    shared.flatMap((part) => {
      const [is, wanted] = [arn && placeOf(arn)[part], stack[part]]
      if (!is || !wanted || is === wanted) return []
      return [`${path} must be in ${nouns[part]} of the stack, ${wanted}, but is in ${is}`]
    }),
  )
  return [...elsewhere, ...copyFaults(settings, stack)]
}

function copyFaults({ backup }: Settings, stack: KnownPlace): string[] {
  if (!backup) return []
  const { region, account } = placeOf(backup.copyTo)
  const isOwn =
    backup.copyTo.endsWith(`:${backup.vault}`) &&
    region === stack.region &&
    account === stack.account
  return isOwn ? ['backup.copyTo must be another vault than backup.vault of this account'] : []
}
