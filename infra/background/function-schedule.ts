import { CfnOutput, Duration } from 'aws-cdk-lib'
import { Rule, RuleTargetInput, Schedule } from 'aws-cdk-lib/aws-events'
import { LambdaFunction as LambdaTarget } from 'aws-cdk-lib/aws-events-targets'
import { Construct } from 'constructs'
import { FOLLOW_POLL_SECONDS } from '../../lib/settings/following.ts'
import type { LiveFunction } from '../functions.ts'
import type { Settings } from '../settings/settings.ts'

/** A schedule that invokes a function, and pauses during maintenance. It retries nothing: the next invocation does what one has not done. */
export class FunctionSchedule extends Construct {
  constructor(
    scope: Construct,
    id: string,
    props: {
      invoked: LiveFunction
      interval: Duration
      description: string
      maintenance: boolean
      /** What the function gets in place of the event of the schedule. */
      event?: object
    },
  ) {
    super(scope, id)
    const { invoked, interval, description, maintenance, event } = props
    const once = { retryAttempts: 0, maxEventAge: interval }
    invoked.live.configureAsyncInvoke(once)
    const target = { ...once, ...(event && { event: RuleTargetInput.fromObject(event) }) }
    new Rule(this, 'Schedule', {
      description,
      schedule: Schedule.rate(interval),
      enabled: !maintenance,
      targets: [new LambdaTarget(invoked.live, target)],
    })
  }
}

/** What the follower costs in a month of 30 days, in US dollars: it runs all the time (docs/costs.md). */
const dollarsOfFollower = 9.6

/** What the polls of a busy chain cost in a month of 30 days, in US dollars: at Alchemy, and in the table. */
const dollarsOfChain = (followPollSeconds: number): number => 28.1 * (5 / followPollSeconds)

/** The schedule of the follower, which is invoked every minute for all followed chains (D152). */
export class ChainFollowers extends FunctionSchedule {
  constructor(
    scope: Construct,
    id: string,
    { follower, settings }: { follower: LiveFunction; settings: Settings },
  ) {
    super(scope, id, {
      ...{ invoked: follower, interval: Duration.minutes(1), maintenance: settings.maintenance },
      description: 'Follows the chains from minute to minute',
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
