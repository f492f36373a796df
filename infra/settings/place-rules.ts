import { type Place, placeOf } from './arn-forms.ts'
import type { DeploymentSettings as Settings } from './deployment-setting-table.ts'

/** What is known of the place of a stack. */
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
  ...keyArns('playerTokenKeys', playerTokenKeys),
  ...keyArns('userJwtKeys', userJwtKeys),
  ['tableKeyArn', tableKeyArn, ['region']],
  ['indexerSecretArn', indexerSecretArn, ['region']],
  ...secretArns('webhooks.secrets', webhooks?.secrets),
  ['alarmTopicArn', alarmTopicArn, ['region']],
  ['domain.certificateArn', domain?.certificateArn, ['region', 'account']],
  ['edge.domain.certificateArn', edge?.domain?.certificateArn, ['account']],
  ['edge.webAclArn', edge?.webAclArn, ['account']],
]

/** The alias of the key that signs is in the account of the key. */
const keyArns = (setting: string, names: readonly string[]) =>
  names.flatMap((name, index): [string, string, Shared][] =>
    name.startsWith('arn:')
      ? [[`${setting}.${index}`, name, index === 0 ? ['region', 'account'] : ['region']]]
      : [],
  )

const secretArns = (setting: string, names: readonly string[] = []) =>
  names.flatMap((name, index): [string, string, Shared][] =>
    name.startsWith('arn:') ? [[`${setting}.${index}`, name, ['region']]] : [],
  )

const nouns = { region: 'the Region', account: 'the account' } as const

/**
 * The faults of settings whose resources are in another Region or account than the stack, where AWS refuses that, and of a
 * backup that would be copied onto itself. What is not known of the place of the stack is no fault.
 */
export function placeFaults(settings: Settings, stack: KnownPlace): string[] {
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
