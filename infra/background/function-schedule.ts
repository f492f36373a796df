import type { Duration } from 'aws-cdk-lib'
import { Rule, RuleTargetInput, Schedule } from 'aws-cdk-lib/aws-events'
import { LambdaFunction as LambdaTarget } from 'aws-cdk-lib/aws-events-targets'
import { Construct } from 'constructs'
import type { LiveFunction } from '../functions.ts'

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
