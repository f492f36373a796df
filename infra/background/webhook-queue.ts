import { CfnOutput, Duration, Stack, Validations } from 'aws-cdk-lib'
import { EventSourceMapping, type IAlias } from 'aws-cdk-lib/aws-lambda'
import { Queue, QueueEncryption } from 'aws-cdk-lib/aws-sqs'
import { Construct } from 'constructs'
import { delivererTimeoutSeconds } from '../../lib/domain/time-budget.ts'
import { allow, type Grant } from '../lambda/grant.ts'
import { type ConcurrencySettings, delivererConcurrency } from '../settings/reserved-concurrency.ts'
import { partIn } from '../subject-stacks.ts'

/**
 * The queue of the webhooks, with a message for each webhook that has something to deliver (D122). It keeps messages for 14 days,
 * and has no dead-letter queue.
 */
export class WebhookQueue extends Construct {
  readonly queue: Queue

  constructor(scope: Construct, id: string, { name }: { name: string | undefined }) {
    super(scope, id)
    this.queue = new Queue(this, 'Queue', {
      ...(name && { queueName: name }),
      encryption: QueueEncryption.SQS_MANAGED,
      enforceSSL: true,
      retentionPeriod: Duration.days(14),
      // Longer than a delivery, so that none of them begins a second time.
      visibilityTimeout: Duration.seconds(2 * delivererTimeoutSeconds),
    })
    Validations.of(this.queue).acknowledge({
      id: 'AwsSolutions-SQS3',
      reason:
        'A message waits as long as the server of its webhook is down, and the webhook itself knows when to give up: a count of receives must not end the wait.',
    })
    new CfnOutput(this, 'Url', { value: this.queue.queueUrl }).overrideLogicalId('WebhookQueueUrl')
  }

  /** The address of the queue, as an environment variable, by which a function knows that the deployment has webhooks. */
  get variables(): { readonly WEBHOOK_QUEUE_URL: string } {
    return { WEBHOOK_QUEUE_URL: this.queue.queueUrl }
  }

  /** Permission to send messages. */
  grantSend(): Grant {
    return allow(['sqs:SendMessage'], [this.queue.queueArn], this.variables)
  }

  /** Permission to receive and delete messages, which Lambda does with the role of the consumer, and to put them off. */
  grantConsume(): Grant {
    const actions = ['ReceiveMessage', 'DeleteMessage', 'GetQueueAttributes']
    return allow(
      [...actions, 'ChangeMessageVisibility'].map((action) => `sqs:${action}`),
      [this.queue.queueArn],
    )
  }

  /**
   * Makes a function the consumer of the queue, with one message in each call, so that no server holds up the webhooks of
   * others. During maintenance, messages stay in the queue (D44).
   */
  addConsumer(
    consumer: IAlias,
    settings: ConcurrencySettings & { readonly maintenance: boolean },
  ): void {
    new EventSourceMapping(partIn(Stack.of(consumer), this), 'EventSource', {
      target: consumer,
      eventSourceArn: this.queue.queueArn,
      batchSize: 1,
      ...(settings.maintenance && { enabled: false }),
      maxConcurrency: delivererConcurrency(settings),
      reportBatchItemFailures: true,
    })
  }
}
