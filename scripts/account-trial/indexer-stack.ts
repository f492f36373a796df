import { dirname } from 'node:path'
import { type App, CfnOutput, Duration, RemovalPolicy, Stack, Tags } from 'aws-cdk-lib'
import {
  Architecture,
  Code,
  FunctionUrlAuthType,
  Function as LambdaFunction,
  Runtime,
} from 'aws-cdk-lib/aws-lambda'
import { LogGroup, RetentionDays } from 'aws-cdk-lib/aws-logs'
import { bundleFile } from '../../infra/bundle/bundle.ts'

/** The name of the function, which is that of its folder in local/indexer. */
export const sampleIndexer = 'sample-indexer'

export interface IndexerStackProps {
  readonly stage: string
  /** The first segment of all paths. Nobody who does not know it gets an answer. */
  readonly path: string
  /** When the journey of the lantern begins, in milliseconds since 1970. */
  readonly startedAt: number
  /** The folder that holds the bundle of the function. */
  readonly functionsDir: string
}

/** The sample indexer of `npm start` as a Lambda function, beside the stack of a trial. */
export class IndexerStack extends Stack {
  constructor(scope: App, { stage, path, startedAt, functionsDir }: IndexerStackProps) {
    super(scope, `PlayerNfts-${stage}-indexer`, {
      description: 'The sample indexer of a trial of Player NFTs',
    })
    const logGroup = new LogGroup(this, 'Logs', {
      retention: RetentionDays.ONE_DAY,
      removalPolicy: RemovalPolicy.DESTROY,
    })
    const indexer = new LambdaFunction(this, 'Indexer', {
      functionName: `${this.stackName}-${sampleIndexer}`,
      runtime: Runtime.NODEJS_24_X,
      architecture: Architecture.ARM_64,
      memorySize: 1_024,
      timeout: Duration.seconds(10),
      handler: 'index.handler',
      code: Code.fromAsset(dirname(bundleFile(functionsDir, sampleIndexer))),
      environment: { INDEXER_PATH: path, STARTED_AT: `${startedAt}` },
      logGroup,
    })
    const { url } = indexer.addFunctionUrl({ authType: FunctionUrlAuthType.NONE })
    new CfnOutput(this, 'FunctionUrl', { value: url })
    Tags.of(this).add('service', 'player-nfts')
    Tags.of(this).add('stage', stage)
  }
}
