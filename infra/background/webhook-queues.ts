import { CfnOutput, Duration, Stack, Validations } from 'aws-cdk-lib'
import { EventSourceMapping, type IAlias } from 'aws-cdk-lib/aws-lambda'
import { Queue, QueueEncryption } from 'aws-cdk-lib/aws-sqs'
import { Construct } from 'constructs'
import { delivererTimeoutSeconds } from '../../lib/domain/time-budget.ts'
import { allow, type Grant } from '../lambda/grant.ts'
import { delivererConcurrency } from '../settings/reserved-concurrency.ts'
import type { Settings } from '../settings/settings.ts'
import type { ResourceNames } from '../settings/stages.ts'
import { partIn } from '../subject-stacks.ts'

/**
 * The queues of the webhooks. One has a message for each webhook that has something to deliver (D122), and keeps it for 14 days. The
 * other one has their tests, whose results somebody waits for, so that no delivery is before them (D150).
 */
export class WebhookQueues extends Construct {
  readonly deliveries: Queue
  private readonly tests: Queue

  constructor(scope: Construct, id: string, names: ResourceNames) {
    super(scope, id)
    this.deliveries = this.addQueue('Queue', {
      name: names.webhooks,
      retentionPeriod: Duration.days(14),
      withoutDeadLetters:
        'A message waits as long as the server of its webhook is down, and the webhook itself knows when to give up: a count of receives must not end the wait.',
    })
    this.tests = this.addQueue('Tests', {
      name: names.webhookTests,
      retentionPeriod: Duration.minutes(1),
      withoutDeadLetters:
        'Nobody waits for the result of a test that has failed: the caller repeats it.',
    })
    const { queueUrl: value } = this.deliveries
    new CfnOutput(this, 'Url', { value }).overrideLogicalId('WebhookQueueUrl')
  }

  private addQueue(
    id: string,
    options: {
      name: string | undefined
      retentionPeriod: Duration
      /** Why it has no dead-letter queue. */
      withoutDeadLetters: string
    },
  ): Queue {
    const { name, retentionPeriod, withoutDeadLetters: reason } = options
    const queue = new Queue(this, id, {
      ...(name && { queueName: name }),
      encryption: QueueEncryption.SQS_MANAGED,
      enforceSSL: true,
      retentionPeriod,
      // Longer than a delivery, so that none of them begins a second time.
      visibilityTimeout: Duration.seconds(2 * delivererTimeoutSeconds),
    })
    Validations.of(queue).acknowledge({ id: 'AwsSolutions-SQS3', reason })
    return queue
  }

  /** The address of the queue of deliveries, as an environment variable, by which a function knows that the deployment has webhooks. */
  get variables(): { readonly WEBHOOK_QUEUE_URL: string } {
    return { WEBHOOK_QUEUE_URL: this.deliveries.queueUrl }
  }

  /** Permission to send messages about deliveries. */
  grantSend(): Grant {
    return allow(['sqs:SendMessage'], [this.deliveries.queueArn], this.variables)
  }

  grantSendTests(): Grant {
    const { queueArn, queueUrl } = this.tests
    return allow(['sqs:SendMessage'], [queueArn], { WEBHOOK_TEST_QUEUE_URL: queueUrl })
  }

  /** Permission to receive and delete messages, which Lambda does with the role of the consumer, and to put deliveries off. */
  grantConsume(): readonly Grant[] {
    const actions = ['ReceiveMessage', 'DeleteMessage', 'GetQueueAttributes']
    const consume = actions.map((action) => `sqs:${action}`)
    const { deliveries, tests } = this
    return [
      allow([...consume, 'sqs:ChangeMessageVisibility'], [deliveries.queueArn]),
      allow(consume, [tests.queueArn]),
    ]
  }

  /**
   * Makes a function the consumer of the queues, with one message in each call, so that no server holds up the webhooks of
   * others. During maintenance, messages stay in the queues (D44).
   */
  addConsumer(target: IAlias, settings: Settings): void {
    const scope = partIn(Stack.of(target), this)
    const { deliveries, tests } = delivererConcurrency(settings)
    for (const [id, queue, maxConcurrency] of [
      ['EventSource', this.deliveries, deliveries],
      ['TestEventSource', this.tests, tests],
    ] as const) {
      new EventSourceMapping(scope, id, {
        ...{ target, maxConcurrency },
        eventSourceArn: queue.queueArn,
        batchSize: 1,
        ...(settings.maintenance && { enabled: false }),
        reportBatchItemFailures: true,
      })
    }
  }
}
