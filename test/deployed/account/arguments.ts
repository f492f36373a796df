import { parseArgs } from 'node:util'
import { isTrialStage } from './trial-parts.ts'

/** The lines of the help about the option `--account`. */
export const accountHelp: readonly string[] = [
  'In an account of AWS, in about two hours and for less than a dollar:',
  '',
  '  --account ID          the 12 digits of the account; with `emulator`, the same trial on this machine',
  '  --region REGION       the Region',
  '  --profile NAME        the AWS profile; by default, the usual AWS variables and files',
  '  --without-cloudfront  leaves CloudFront and the dashboard out, which new accounts refuse',
  '  --remove STAGE        only removes what a trial that was killed has left: trial-a1b2c3',
  '',
  'Ctrl-C and a failure also remove everything.',
]

/** What is asked of an account. */
export interface AccountArguments {
  /** `emulator`, or the account that the operator has named. */
  readonly where:
    | 'emulator'
    | { readonly account: string; readonly region: string; readonly profile: string | undefined }
  readonly withoutCloudFront: boolean
  /** The stage to remove. Without it, a trial is made. */
  readonly remove: string | undefined
}

const text = { type: 'string' } as const

/** Reads a command line with `--account`. Throws an Error of one sentence. */
export function accountArguments(args: readonly string[]): AccountArguments {
  const { values } = parseArgs({
    args: [...args],
    options: {
      account: text,
      region: text,
      profile: text,
      remove: text,
      'without-cloudfront': { type: 'boolean', default: false },
    },
  })
  const { account = '', region, profile, remove, 'without-cloudfront': withoutCloudFront } = values
  if (remove !== undefined && !isTrialStage(remove)) {
    throw new Error(`--remove must be the stage of a trial, such as trial-a1b2c3: ${remove}.`)
  }
  if (account === 'emulator') {
    if (region || profile || remove) {
      throw new Error('--account emulator takes no other option than --without-cloudfront.')
    }
    return { where: account, withoutCloudFront, remove }
  }
  if (!/^\d{12}$/.test(account)) {
    throw new Error(`--account must be the 12 digits of an AWS account, or emulator: ${account}.`)
  }
  if (!region) throw new Error('Name the Region with --region.')
  return { where: { account, region, profile }, withoutCloudFront, remove }
}

/** The command that removes a stage if the trial is killed. An emulator ends with the trial. */
export const removalCommand = ({ where }: AccountArguments, stage: string): string | undefined =>
  where === 'emulator'
    ? undefined
    : [
        `npm run test:deployed -- --account ${where.account} --region ${where.region}`,
        ...(where.profile ? [`--profile ${where.profile}`] : []),
        `--remove ${stage}`,
      ].join(' ')
