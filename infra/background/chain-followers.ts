import { CfnOutput, Duration } from 'aws-cdk-lib'
import { Rule, Schedule } from 'aws-cdk-lib/aws-events'
import { LambdaFunction as LambdaTarget } from 'aws-cdk-lib/aws-events-targets'
import { Construct } from 'constructs'
import { FOLLOW_POLL_SECONDS } from '../../lib/settings/following.ts'
import type { LiveFunction } from '../functions.ts'
import type { Settings } from '../settings/settings.ts'

/** What the follower costs in a month of 30 days, in US dollars: it runs all the time (docs/costs.md). */
const dollarsOfFollower = 9.6

/** What the polls of a busy chain cost in a month of 30 days, in US dollars: at Alchemy, and in the table. */
const dollarsOfChain = (followPollSeconds: number): number => 28.1 * (5 / followPollSeconds)

/** The schedule of the follower, which is invoked every minute for all followed chains (D152). */
export class ChainFollowers extends Construct {
  constructor(
    scope: Construct,
    id: string,
    { follower: { live }, settings }: { follower: LiveFunction; settings: Settings },
  ) {
    super(scope, id)
    const once = { retryAttempts: 0, maxEventAge: Duration.seconds(60) }
    // The next minute brings another invocation.
    live.configureAsyncInvoke(once)
    new Rule(this, 'Schedule', {
      description: 'Follows the chains from minute to minute',
      schedule: Schedule.rate(Duration.minutes(1)),
      enabled: !settings.maintenance,
      targets: [new LambdaTarget(live, once)],
    })
    const chains = [...new Set(settings.followedChains)]
    const ofChain = dollarsOfChain(settings.followPollSeconds ?? FOLLOW_POLL_SECONDS.default)
    const dollars = dollarsOfFollower + chains.length * ofChain
    new CfnOutput(this, 'MonthlyCost', {
      description:
        'What following the chains costs in a month of 30 days if all are always in use (docs/costs.md)',
      value: `about ${dollars.toFixed(0)} US dollars for ${chains.join(', ')}`,
    }).overrideLogicalId('FollowingMonthlyCost')
  }
}
