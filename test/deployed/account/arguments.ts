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

/** What is asked of an account: a trial, or only the removal of the stage `remove`. An emulator has no Region. */
export type AccountArguments = ReturnType<typeof accountArguments>

/** Reads a command line with `--account`. Throws an Error of one sentence. */
export function accountArguments(args: readonly string[]) {
  const text = { type: 'string' } as const
  const without = { 'without-cloudfront': { type: 'boolean', default: false } } as const
  const options = { account: text, region: text, profile: text, remove: text, ...without }
  const { values } = parseArgs({ args: [...args], options })
  const { account = '', region = '', profile, remove } = values
  const isEmulator = account === 'emulator'
  if (remove !== undefined && !isTrialStage(remove)) {
    throw new Error(`--remove must be the stage of a trial, such as trial-a1b2c3: ${remove}.`)
  }
  if (isEmulator && (region || profile || remove)) {
    throw new Error('--account emulator takes no other option than --without-cloudfront.')
  }
  if (!isEmulator && !/^\d{12}$/.test(account)) {
    throw new Error(`--account must be the 12 digits of an AWS account, or emulator: ${account}.`)
  }
  if (!isEmulator && !region) throw new Error('Name the Region with --region.')
  const withoutCloudFront = values['without-cloudfront']
  return { account, isEmulator, region, profile, remove, withoutCloudFront }
}

/** The command that removes a stage if the trial is killed. An emulator ends with the trial. */
export function removalCommand(request: AccountArguments, stage: string): string | undefined {
  const { account, isEmulator, region, profile } = request
  const options = profile ? `--profile ${profile} --remove ${stage}` : `--remove ${stage}`
  const command = `npm run test:deployed -- --account ${account} --region ${region} ${options}`
  return isEmulator ? undefined : command
}
