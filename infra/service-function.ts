import { dirname } from 'node:path'
import { Duration, RemovalPolicy, Stack } from 'aws-cdk-lib'
import { PolicyDocument, PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam'
import {
  Architecture,
  Code,
  Function as LambdaFunction,
  LoggingFormat,
  RecursiveLoop,
  Runtime,
  SystemLogLevel,
} from 'aws-cdk-lib/aws-lambda'
import { LogGroup, type RetentionDays } from 'aws-cdk-lib/aws-logs'
import { Construct } from 'constructs'
import { bundleFile } from './bundle/bundle.ts'
import type { Grant } from './grant.ts'
import type { Stage } from './stages.ts'

export interface ServiceFunctionProps {
  /** The name of the function's file, without its extension. */
  readonly name: string
  /** The folder that holds the bundles of all functions. */
  readonly functionsDir: string
  readonly timeoutSeconds: number
  readonly grants: readonly Grant[]
  readonly reservedConcurrency: number | undefined
  readonly logRetentionDays: number
  readonly keepData: boolean
  readonly stage: Stage
  /** The endpoint of AWS in the stage `local`. */
  readonly awsEndpointUrl?: string | undefined
  /** Whether messages that the function sends may invoke the function again, without a limit. */
  readonly allowRecursion: boolean
}

/** A Lambda function with its own role and log group. The role has the given grants and permission to write logs. */
export class ServiceFunction extends Construct {
  readonly function: LambdaFunction

  constructor(scope: Construct, id: string, props: ServiceFunctionProps) {
    super(scope, id)
    const logGroup = new LogGroup(this, 'Logs', {
      retention: props.logRetentionDays as RetentionDays,
      removalPolicy: props.keepData ? RemovalPolicy.RETAIN : RemovalPolicy.DESTROY,
    })
    const logging = new PolicyStatement({
      actions: ['logs:CreateLogStream', 'logs:PutLogEvents'],
      resources: [logGroup.logGroupArn],
    })
    const statements = [logging, ...props.grants.flatMap(({ statements }) => statements)]
    this.function = new LambdaFunction(this, 'Function', {
      functionName: `${Stack.of(this).stackName}-${props.name}`,
      runtime: Runtime.NODEJS_24_X,
      architecture: architectureOf(props.stage),
      memorySize: 1024,
      timeout: Duration.seconds(props.timeoutSeconds),
      handler: 'index.handler',
      code: Code.fromAsset(dirname(bundleFile(props.functionsDir, props.name))),
      environment: Object.assign(
        props.awsEndpointUrl ? { AWS_ENDPOINT_URL: props.awsEndpointUrl } : {},
        ...props.grants.map(({ environment }) => environment),
      ),
      role: new Role(this, 'Role', {
        assumedBy: new ServicePrincipal('lambda.amazonaws.com'),
        inlinePolicies: { permissions: new PolicyDocument({ statements }) },
      }),
      logGroup,
      loggingFormat: LoggingFormat.JSON,
      // The lines that Lambda logs for a successful invocation repeat what the service's own line says.
      systemLogLevelV2: SystemLogLevel.WARN,
      ...(props.reservedConcurrency !== undefined && {
        reservedConcurrentExecutions: props.reservedConcurrency,
      }),
      // Otherwise Lambda stops a chain of follow-up messages after 16 invocations.
      ...(props.allowRecursion && { recursiveLoop: RecursiveLoop.ALLOW }),
    })
  }
}

/** Emulators run functions on this machine, and arm64 is cheaper on AWS. */
const architectureOf = (stage: Stage): Architecture =>
  stage === 'local' && process.arch !== 'arm64' ? Architecture.X86_64 : Architecture.ARM_64
