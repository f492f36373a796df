import { CfnOutput, Duration } from 'aws-cdk-lib'
import { EventSourceMapping, type IFunction } from 'aws-cdk-lib/aws-lambda'
import { Queue, QueueEncryption } from 'aws-cdk-lib/aws-sqs'
import { Construct } from 'constructs'
import { workerTimeoutSeconds } from '../../lib/domain/time-budget.ts'
import { allow, type Grant } from '../lambda/grant.ts'
import { workerConcurrency } from '../settings/reserved-concurrency.ts'
import type { ResourceNames } from '../settings/stages.ts'

/** The number of failed attempts after which a message goes to the dead-letter queue. */
const maxReceiveCount = 5

/** The queue of the background work, and its dead-letter queue. Both keep messages for 14 days. */
export class BackgroundQueue extends Construct {
  readonly queue: Queue
  readonly deadLetters: Queue
  private readonly sweepDelaySeconds: number

  constructor(
    scope: Construct,
    id: string,
    props: { sweepDelaySeconds: number; names: ResourceNames },
  ) {
    super(scope, id)
    this.sweepDelaySeconds = props.sweepDelaySeconds
    const { queue, deadLetters } = props.names
    const common = {
      encryption: QueueEncryption.SQS_MANAGED,
      enforceSSL: true,
      retentionPeriod: Duration.days(14),
    }
    this.deadLetters = new Queue(this, 'DeadLetters', {
      ...common,
      ...(deadLetters && { queueName: deadLetters }),
    })
    this.queue = new Queue(this, 'Queue', {
      ...common,
      ...(queue && { queueName: queue }),
      // Lambda recommends six times the timeout of the function for event sources.
      visibilityTimeout: Duration.seconds(6 * workerTimeoutSeconds),
      deadLetterQueue: { queue: this.deadLetters, maxReceiveCount },
    })
    new CfnOutput(this, 'Url', { value: this.queue.queueUrl }).overrideLogicalId('QueueUrl')
    new CfnOutput(this, 'DeadLettersUrl', {
      value: this.deadLetters.queueUrl,
    }).overrideLogicalId('DeadLetterQueueUrl')
  }

  /** Permission to send messages. */
  grantSend(): Grant {
    return allow(['sqs:SendMessage'], [this.queue.queueArn], {
      QUEUE_URL: this.queue.queueUrl,
      SWEEP_DELAY_SECONDS: `${this.sweepDelaySeconds}`,
    })
  }

  /** Permission to receive and delete messages, which Lambda does with the role of the consumer. */
  grantConsume(): Grant {
    const actions = ['sqs:ReceiveMessage', 'sqs:DeleteMessage', 'sqs:GetQueueAttributes']
    return allow(actions, [this.queue.queueArn])
  }

  /** Makes a function the consumer. Messages that fail are retried, and stay in the queue during maintenance (D44). */
  addConsumer(consumer: IFunction, { maintenance }: { maintenance: boolean }): void {
    new EventSourceMapping(this, 'EventSource', {
      target: consumer,
      eventSourceArn: this.queue.queueArn,
      batchSize: 1,
      ...(maintenance && { enabled: false }),
      maxConcurrency: workerConcurrency,
      reportBatchItemFailures: true,
    })
  }
}
