import { parseArgs } from 'node:util'
import { isTrialStage } from './stage.ts'

const usage =
  'Usage: npm run account-trial -- --profile NAME --region REGION [--account ID] [--yes] [--remove STAGE]'

/** The lines of the help. */
export const helpLines: readonly string[] = [
  usage,
  '       npm run account-trial -- --emulator',
  '',
  'Deploys the service to an AWS account under a name of its own, tests and measures it, and removes it again. Says',
  'before it begins what it creates, how long it takes and what it costs, and asks. Ctrl-C and a failure also remove',
  'everything. Prints a report that has no names of the account.',
  '',
  '  --profile     the AWS profile of the account; also AWS_PROFILE',
  '  --region      the Region; also AWS_REGION and AWS_DEFAULT_REGION',
  '  --account     refuses every other account than this one',
  '  --yes         does not ask',
  '  --remove      only removes what an earlier trial has left, by the name of its stage: trial-a1b2c3',
  '  --emulator    uses MiniStack, an AWS emulator on this machine (Python 3.10 or later), and no account',
  '',
  'Environment variables:',
  '',
  '  ALCHEMY_API_KEY  with your key of Alchemy, the trial also reads a real wallet',
]

/** What the command is asked to do. */
export interface Arguments {
  /** `emulator`, or the account of a profile in a Region. */
  readonly where: 'emulator' | { readonly profile: string; readonly region: string }
  readonly account: string | undefined
  readonly yes: boolean
  /** The stage to remove. Without it, a trial is made. */
  readonly remove: string | undefined
  readonly alchemyKey: string | undefined
}

const text = { type: 'string' } as const
const flag = { type: 'boolean', default: false } as const

/** Reads the command line and the environment. Throws an Error of one sentence. */
export function readArguments(args: readonly string[], env: NodeJS.ProcessEnv): Arguments {
  const { values } = parseArgs({
    args: [...args],
    options: {
      ...{ profile: text, region: text, account: text, remove: text },
      ...{ yes: flag, emulator: flag },
    },
  })
  const { account, emulator, remove, yes } = values
  if (remove !== undefined && !isTrialStage(remove)) {
    throw new Error(`--remove must be the stage of a trial, such as trial-a1b2c3: ${remove}.`)
  }
  if (account !== undefined && !/^\d{12}$/.test(account)) {
    throw new Error(`--account must be the 12 digits of an AWS account: ${account}.`)
  }
  const common = { account, remove, alchemyKey: env['ALCHEMY_API_KEY'] || undefined }
  if (emulator) {
    if (values.profile || values.region || account || remove) {
      throw new Error('--emulator uses no account, so it takes no other option.')
    }
    return { ...common, where: 'emulator', yes: true }
  }
  const profile = values.profile || env['AWS_PROFILE']
  const region = values.region || env['AWS_REGION'] || env['AWS_DEFAULT_REGION']
  if (!profile) throw new Error('Name the profile of the account with --profile.')
  if (!region) throw new Error('Name the Region with --region.')
  return { ...common, where: { profile, region }, yes }
}
