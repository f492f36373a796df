import { Stack } from 'aws-cdk-lib'
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions'
import { PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam'
import { type ITopic, Topic } from 'aws-cdk-lib/aws-sns'
import { EmailSubscription, UrlSubscription } from 'aws-cdk-lib/aws-sns-subscriptions'
import { Construct } from 'constructs'
import type { Settings } from '../settings/settings.ts'

/** The topic of the stack, with the subscriptions of the settings, and the topic of the setting `alarmTopicArn`. */
export class AlarmTopics extends Construct {
  readonly all: readonly ITopic[]

  constructor(
    scope: Construct,
    id: string,
    { alarmEmail, alarmUrl, alarmTopicArn, monthlyBudget }: Settings,
  ) {
    super(scope, id)
    const own = this.addTopic(monthlyBudget !== undefined)
    if (alarmEmail) own.addSubscription(new EmailSubscription(alarmEmail))
    if (alarmUrl) own.addSubscription(new UrlSubscription(alarmUrl))
    const given = alarmTopicArn ? [Topic.fromTopicArn(this, 'Given', alarmTopicArn)] : []
    this.all = [own, ...given]
  }

  /** The actions of an alarm that notify all topics. */
  actions(): SnsAction[] {
    return this.all.map((topic) => new SnsAction(topic))
  }

  private addTopic(hasBudget: boolean): Topic {
    const topic = new Topic(this, 'Topic', { enforceSSL: true })
    const ofAccount = { StringEquals: { 'aws:SourceAccount': Stack.of(this).account } }
    // A topic policy replaces the default policy, which allows the account's alarms to publish.
    const permissions = [
      permissionToPublish(topic, 'cloudwatch.amazonaws.com', ofAccount),
      // EventBridge publishes without the name of its account.
      permissionToPublish(topic, 'events.amazonaws.com'),
      ...(hasBudget ? [permissionToPublish(topic, 'budgets.amazonaws.com', ofAccount)] : []),
    ]
    for (const each of permissions) topic.addToResourcePolicy(each)
    return topic
  }
}

const permissionToPublish = (topic: ITopic, service: string, conditions = {}) =>
  new PolicyStatement({
    principals: [new ServicePrincipal(service)],
    actions: ['sns:Publish'],
    resources: [topic.topicArn],
    conditions,
  })
