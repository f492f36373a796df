import { CfnOutput, Duration } from 'aws-cdk-lib'
import type { Construct } from 'constructs'
import { FOLLOW_POLL_SECONDS } from '../../lib/settings/following.ts'
import type { LiveFunction } from '../functions.ts'
import type { Settings } from '../settings/settings.ts'
import { FunctionSchedule } from './function-schedule.ts'

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
