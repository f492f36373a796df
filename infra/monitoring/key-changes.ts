import { CfnRule } from 'aws-cdk-lib/aws-events'
import { Construct } from 'constructs'
import { rootStack } from '../subject-stacks.ts'
import type { RunbookEntry } from './alarm-row.ts'
import type { AlarmTopics } from './alarm-topics.ts'
import { notification } from './notification.ts'

/** The event of a signing key that was disabled or scheduled for deletion. */
export const keyChanges: RunbookEntry = {
  name: 'signing-key-changes',
  urgency: 'at once',
  description:
    'Somebody disabled a signing key of the service, or scheduled its deletion. From then on, the key signs nothing. New containers reject user JWTs of the key, and player tokens of the key are still accepted.',
  firstSteps: [
    'Find out who did it: CloudTrail console, Event history, event name DisableKey or ScheduleKeyDeletion.',
    'If it was a deploy that removed the key from the settings, or the removal of the stack, there is nothing to do.',
    'Otherwise, set KEY to the ARN of the key and take it back: `aws kms cancel-key-deletion --key-id "$KEY"`, if it is pending deletion, then `aws kms enable-key --key-id "$KEY"`',
  ],
  resolution: [
    'Somebody mistook the key for an unused one: take it back. No token is lost, if it happens before the end of the waiting period.',
    'A stranger has credentials of the account: take the key back, withdraw the credentials, and [replace the key](runbook.md#dropping-all-keys), because the stranger may have signed tokens with it.',
  ],
}

/** Notifies the topics of each call that takes a signing key out of use. */
export class KeyChanges extends Construct {
  constructor(
    scope: Construct,
    id: string,
    { keyArns, topics }: { keyArns: readonly string[]; topics: AlarmTopics },
  ) {
    super(scope, id)
    const { stackName } = rootStack(this)
    const name = `${stackName}-${keyChanges.name}`
    const input = JSON.stringify(`${name}\n${notification(keyChanges, stackName)}`)
    new CfnRule(this, 'Rule', {
      name,
      description: 'Calls that take a signing key out of use',
      eventPattern: {
        source: ['aws.kms'],
        'detail-type': ['AWS API Call via CloudTrail'],
        detail: {
          eventSource: ['kms.amazonaws.com'],
          eventName: ['DisableKey', 'ScheduleKeyDeletion'],
          resources: { ARN: [...keyArns] },
        },
      },
      targets: topics.all.map(({ topicArn }, index) => ({
        id: `Topic${index}`,
        arn: topicArn,
        input,
      })),
    })
  }
}
