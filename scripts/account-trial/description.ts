import { reasonToSkip, type Step } from './run-steps.ts'
import { bootstrapStack, stacksOf } from './stage.ts'
import { removal, steps } from './steps.ts'
import type { Trial } from './trial.ts'
import type { TrialPlace } from './trial-place.ts'

/** What a trial costs in US dollars at list prices of us-east-1, rounded up; docs/costs.md#sources has the prices. */
export const costs: readonly (readonly [what: string, dollars: number])[] = [
  ['about 100,000 requests to API Gateway, Lambda and DynamoDB, and their logs', 0.3],
  ['the follower of one chain, for the hours of the trial', 0.2],
  ['signatures and keys of KMS', 0.15],
  ['secrets, alarms and metrics of CloudWatch, for the hours of the trial', 0.15],
  ['the restored table', 0.05],
  ['CloudFront, S3, SQS, SNS and CodeDeploy', 0.05],
]

/** How long the steps and the removal take in an account. */
export const totalMinutes = (): number =>
  [...steps, removal].reduce((sum, { minutes }) => sum + minutes, 0)

type Described = Pick<TrialPlace, 'account' | 'aws' | 'title' | 'isAccount' | 'lacks' | 'removalOf'>

/** What a person must know before a trial begins. */
export function describeTrial(
  place: Described,
  { stage, alchemyKey }: Pick<Trial, 'stage' | 'alchemyKey'>,
): string[] {
  const { account, aws, title, isAccount, lacks, removalOf } = place
  const { service, indexer } = stacksOf(stage)
  return [
    `Trial of Player NFTs in ${title} (account ${account}, ${aws.region})`,
    '',
    'It creates:',
    `- the stack ${service}: the whole service with canary updates, CloudFront, the dashboard and one followed chain`,
    `- the stack ${indexer}: a sample indexer behind a function URL with a random path`,
    `- new keys, a restored table, and ${bootstrapStack}, the stack of the CDK, if the account does not have it yet`,
    '',
    'It does:',
    ...steps.map((step) => {
      const why = reasonToSkip(step, { lacks, alchemyKey })
      return `- ${step.name}${why ? `: skipped, ${why}` : timeOf(step, place)}`
    }),
    `- ${removal.name}${timeOf(removal, place)}`,
    '',
    ...(isAccount ? costLines() : ['It costs nothing, and takes about a quarter of an hour.']),
    '',
    'It removes everything at its end, also after Ctrl-C and after a failure. Keys wait up to 30 days for their deletion,',
    `which costs nothing. ${bootstrapStack} stays.`,
    ...(removalOf ? [`If it is killed: ${removalOf(stage)}`] : []),
  ]
}

const timeOf = ({ minutes }: Pick<Step<Trial>, 'minutes'>, { isAccount }: Described): string =>
  isAccount ? ` (${minutes} min)` : ''

function costLines(): string[] {
  const cents = (dollars: number) => dollars.toFixed(2)
  const minutes = totalMinutes()
  return [
    `It takes about ${Math.floor(minutes / 60)} hours and ${minutes % 60} minutes, and costs about ${cents(totalDollars())} dollars:`,
    ...costs.map(([what, dollars]) => `- ${cents(dollars)} for ${what}`),
  ]
}

const totalDollars = () => costs.reduce((sum, [, dollars]) => sum + dollars, 0)
