import { CloudFormationClient, DescribeStacksCommand } from '@aws-sdk/client-cloudformation'
import { GetAccountSettingsCommand, LambdaClient } from '@aws-sdk/client-lambda'
import { GetCallerIdentityCommand, STSClient } from '@aws-sdk/client-sts'
import { defaultProvider } from '@aws-sdk/credential-provider-node'
import { generatedRequests, withoutSignIn } from '../../test/deployed/exceptions.ts'
import type { Place } from '../../test/deployed/place.ts'
import { neededConcurrency, type TrialPlace } from './trial-place.ts'

/** A deployment that waits for CloudFront, CodeDeploy and a roll-back takes less than this. */
const secondsToDeploy = 5_400

/** The account of a profile. Throws an Error of one sentence if the trial cannot be made there. */
export async function accountPlace(
  { profile, region }: { profile: string; region: string },
  wanted: string | undefined,
): Promise<TrialPlace> {
  const aws = { region, credentials: defaultProvider({ profile }) }
  const account = await accountOf(aws, profile)
  if (wanted !== undefined && wanted !== account) {
    throw new Error(`The profile ${profile} is for the account ${account}, and not for ${wanted}.`)
  }
  const place = { account, aws, environment: environmentOf(profile, region) }
  return {
    ...place,
    title: `an AWS account in ${region}`,
    isAccount: true,
    lacks: [],
    cdkOptions: { adaptTemplates: async () => undefined, seconds: secondsToDeploy },
    // Two at a time stay below the concurrent executions of a small account.
    apiTests: { exceptions: [generatedRequests, ...withoutSignIn], maxWorkers: 2 },
    concurrency: await concurrencyOf(place),
    removalOf: (stage) =>
      `npm run account-trial -- --profile ${profile} --region ${region} --remove ${stage}`,
    pollSeconds: 15,
    edgeUrlOf: ({ EdgeUrl }) => EdgeUrl,
    functionUrl: async (url) => url.replace(/\/$/, ''),
  }
}

async function accountOf(aws: Place['aws'], profile: string): Promise<string> {
  try {
    const { Account } = await new STSClient(aws).send(new GetCallerIdentityCommand({}))
    return `${Account}`
  } catch (error) {
    const { message, name } = error as Error
    throw new Error(
      `The profile ${profile} gives no access to an account: ${message.split('\n')[0] || name}.`,
    )
  }
}

/** The concurrent executions of the account. Throws an Error of one sentence if they are too few. */
async function concurrencyOf({ aws }: Pick<Place, 'aws'>): Promise<number> {
  const { AccountLimit } = await new LambdaClient(aws).send(new GetAccountSettingsCommand({}))
  const { ConcurrentExecutions = 0 } = AccountLimit ?? {}
  if (ConcurrentExecutions >= neededConcurrency) return ConcurrentExecutions
  throw new Error(
    `The account has ${ConcurrentExecutions} concurrent executions in ${aws.region}, and the trial needs ${neededConcurrency}: request more in Service Quotas, Lambda, L-B99A9384.`,
  )
}

/** The status of a stack, or undefined if there is none of this name. */
export async function statusOf(
  { aws }: Pick<Place, 'aws'>,
  StackName: string,
): Promise<string | undefined> {
  try {
    const client = new CloudFormationClient(aws)
    const { Stacks = [] } = await client.send(new DescribeStacksCommand({ StackName }))
    const status = Stacks[0]?.StackStatus
    // Emulators return a removed stack also by its name.
    return status === 'DELETE_COMPLETE' ? undefined : status
  } catch (error) {
    if (/does not exist/.test((error as Error).message)) return undefined
    throw error
  }
}

/** The variables with which tools use this profile in this Region and no other credentials of the shell. */
function environmentOf(profile: string, region: string): NodeJS.ProcessEnv {
  const kept = Object.entries(process.env).filter(
    ([name]) => !/^AWS_(ACCESS_KEY_ID|SECRET_ACCESS_KEY|SESSION_TOKEN)$/.test(name),
  )
  return {
    ...Object.fromEntries(kept),
    AWS_PROFILE: profile,
    AWS_REGION: region,
    AWS_DEFAULT_REGION: region,
  }
}
