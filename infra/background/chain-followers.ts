import { CfnOutput, Duration } from 'aws-cdk-lib'
import { Rule, RuleTargetInput, Schedule } from 'aws-cdk-lib/aws-events'
import { LambdaFunction as LambdaTarget } from 'aws-cdk-lib/aws-events-targets'
import { Construct } from 'constructs'
import { FOLLOW_POLL_SECONDS } from '../../lib/settings/remembering.ts'
import type { Functions } from '../functions.ts'
import type { Settings } from '../settings/settings.ts'

/**
 * What following a chain costs in a month of 30 days, in US dollars: the function, which runs all the time, and with
 * each poll the calls to Alchemy and the table (docs/costs.md).
 */
const monthlyDollars = (followPollSeconds: number): number => 9.6 + 28.1 * (5 / followPollSeconds)

/** The schedules of the followers, each of which is invoked with its chain every minute (D66). */
export class ChainFollowers extends Construct {
  constructor(
    scope: Construct,
    id: string,
    { followers, settings }: Pick<Functions, 'followers'> & { settings: Settings },
  ) {
    super(scope, id)
    const once = { retryAttempts: 0, maxEventAge: Duration.seconds(60) }
    for (const [chain, { live }] of followers) {
      // The next minute brings another invocation.
      live.configureAsyncInvoke(once)
      const event = RuleTargetInput.fromObject({ chain })
      new Rule(this, chain, {
        description: `Follows ${chain} from minute to minute`,
        schedule: Schedule.rate(Duration.minutes(1)),
        enabled: !settings.maintenance,
        targets: [new LambdaTarget(live, { event, ...once })],
      })
    }
    if (followers.size === 0) return
    const dollars =
      followers.size * monthlyDollars(settings.followPollSeconds ?? FOLLOW_POLL_SECONDS.default)
    new CfnOutput(this, 'MonthlyCost', {
      description: 'What following the chains costs in a month of 30 days (docs/costs.md)',
      value: `about ${dollars.toFixed(0)} US dollars for ${[...followers.keys()].join(', ')}`,
    }).overrideLogicalId('FollowingMonthlyCost')
  }
}
