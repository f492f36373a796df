import { CfnOutput, Duration } from 'aws-cdk-lib'
import { EventSourceMapping, type IFunction } from 'aws-cdk-lib/aws-lambda'
import { Queue, QueueEncryption } from 'aws-cdk-lib/aws-sqs'
import { Construct } from 'constructs'
import { workerTimeoutSeconds } from '../lib/domain/time-budget.ts'
import { type Access, access } from './grant.ts'

/** How often a message may fail before it is set aside. */
const maxReceiveCount = 5

/** How many messages are worked on at the same time, so that background work never crowds out players. */
const maxConcurrency = 5

/** The background work queue, and the queue of the messages that failed too often, kept for 14 days. */
export class WorkQueue extends Construct {
  readonly queue: Queue
  readonly deadLetters: Queue
  private readonly sweepDelaySeconds: number

  constructor(scope: Construct, id: string, props: { sweepDelaySeconds: number }) {
    super(scope, id)
    this.sweepDelaySeconds = props.sweepDelaySeconds
    const common = {
      encryption: QueueEncryption.SQS_MANAGED,
      enforceSSL: true,
      retentionPeriod: Duration.days(14),
    }
    this.deadLetters = new Queue(this, 'DeadLetters', common)
    this.queue = new Queue(this, 'Queue', {
      ...common,
      // Six times what the worker may take, as Lambda advises for event sources.
      visibilityTimeout: Duration.seconds(6 * workerTimeoutSeconds),
      deadLetterQueue: { queue: this.deadLetters, maxReceiveCount },
    })
    new CfnOutput(this, 'Url', { value: this.queue.queueUrl }).overrideLogicalId('QueueUrl')
    new CfnOutput(this, 'DeadLettersUrl', {
      value: this.deadLetters.queueUrl,
    }).overrideLogicalId('DeadLetterQueueUrl')
  }

  /** Leave to send messages. */
  sent(): Access {
    return access(['sqs:SendMessage'], [this.queue.queueArn], {
      QUEUE_URL: this.queue.queueUrl,
      SWEEP_DELAY_SECONDS: `${this.sweepDelaySeconds}`,
    })
  }

  /** Leave for Lambda to take messages on behalf of the worker. */
  worked(): Access {
    const actions = ['sqs:ReceiveMessage', 'sqs:DeleteMessage', 'sqs:GetQueueAttributes']
    return access(actions, [this.queue.queueArn])
  }

  /** Hands each message to the worker; those that it reports as failed come again. */
  workedBy(worker: IFunction): void {
    new EventSourceMapping(this, 'EventSource', {
      target: worker,
      eventSourceArn: this.queue.queueArn,
      batchSize: 1,
      maxConcurrency,
      reportBatchItemFailures: true,
    })
  }
}
