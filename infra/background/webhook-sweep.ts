import { Duration } from 'aws-cdk-lib'
import { Rule, RuleTargetInput, Schedule } from 'aws-cdk-lib/aws-events'
import { LambdaFunction as LambdaTarget } from 'aws-cdk-lib/aws-events-targets'
import { Construct } from 'constructs'
import { sweepOfWebhooks } from '../../lib/contract/background-names.ts'
import type { LiveFunction } from '../functions.ts'

/** The time between two sweeps. */
const interval = Duration.minutes(5)

/** The schedule of the sweep, which finds the webhooks whose message was lost (D122). There is none during maintenance. */
export class WebhookSweep extends Construct {
  constructor(
    scope: Construct,
    id: string,
    { deliverer: { live }, maintenance }: { deliverer: LiveFunction; maintenance: boolean },
  ) {
    super(scope, id)
    // The next sweep does what one has not done.
    const once = { retryAttempts: 0, maxEventAge: interval }
    live.configureAsyncInvoke(once)
    new Rule(this, 'Schedule', {
      description: 'Finds webhooks whose message was lost',
      schedule: Schedule.rate(interval),
      enabled: !maintenance,
      targets: [
        new LambdaTarget(live, { ...once, event: RuleTargetInput.fromObject(sweepOfWebhooks) }),
      ],
    })
  }
}
