import { dirname, join } from 'node:path'
import { App, CfnOutput, Duration, RemovalPolicy, Stack, Tags } from 'aws-cdk-lib'
import {
  Architecture,
  Code,
  FunctionUrlAuthType,
  Function as LambdaFunction,
  Runtime,
} from 'aws-cdk-lib/aws-lambda'
import { LogGroup, RetentionDays } from 'aws-cdk-lib/aws-logs'
import recommendedFlags from 'aws-cdk-lib/recommended-feature-flags.json' with { type: 'json' }
import { bundleFile, bundleFunctions } from '../../../infra/bundle/bundle.ts'
import { stacksOf } from './trial-parts.ts'
import type { Trial } from './trial-places.ts'

/** The name of the function, which is that of its folder in local/indexer. */
const name = 'sample-indexer'

/** The cloud assembly of the sample indexer, as a Lambda function with a function URL, and its folder. */
export async function indexerAssembly(trial: Trial): Promise<string> {
  const { stage, indexerPath, startedAt, dir } = trial
  const outdir = join(dir, 'indexer')
  const functionsDir = join(dir, 'functions')
  const handler = join(import.meta.dirname, '../../../local/indexer', name, 'handler.ts')
  await bundleFunctions({ entryPoints: [handler], outDir: functionsDir, needsWholeSdk: true })
  const app = new App({ context: recommendedFlags, analyticsReporting: false, outdir })
  const stack = new Stack(app, stacksOf(stage).indexer, {
    description: 'The sample indexer of a trial of Player NFTs',
  })
  const logGroup = new LogGroup(stack, 'Logs', {
    retention: RetentionDays.ONE_DAY,
    removalPolicy: RemovalPolicy.DESTROY,
  })
  const indexer = new LambdaFunction(stack, 'Indexer', {
    functionName: `${stack.stackName}-${name}`,
    runtime: Runtime.NODEJS_24_X,
    architecture: Architecture.ARM_64,
    memorySize: 1_024,
    timeout: Duration.seconds(10),
    handler: 'index.handler',
    code: Code.fromAsset(dirname(bundleFile(functionsDir, name))),
    environment: { INDEXER_PATH: indexerPath, STARTED_AT: `${startedAt}` },
    logGroup,
  })
  const { url } = indexer.addFunctionUrl({ authType: FunctionUrlAuthType.NONE })
  new CfnOutput(stack, 'FunctionUrl', { value: url })
  Tags.of(stack).add('service', 'player-nfts')
  Tags.of(stack).add('stage', stage)
  return app.synth().directory
}
