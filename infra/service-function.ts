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
import type { Access } from './grant.ts'

export interface ServiceFunctionProps {
  /** The function file, without its ending. */
  readonly name: string
  /** Where the bundles of all functions are. */
  readonly functionsDir: string
  readonly timeoutSeconds: number
  readonly permissions: readonly Access[]
  readonly reservedConcurrency: number | undefined
  readonly logRetentionDays: number
  readonly keepData: boolean
  /** Whether it may be called by what it sends itself, as often as that takes. */
  readonly goesOn?: boolean
}

/** One function with a role and a log group of its own. It may do what its permissions say, and log. */
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
    const statements = [logging, ...props.permissions.flatMap((access) => access.statements)]
    this.function = new LambdaFunction(this, 'Function', {
      functionName: `${Stack.of(this).stackName}-${props.name}`,
      runtime: Runtime.NODEJS_24_X,
      architecture: Architecture.ARM_64,
      memorySize: 1024,
      timeout: Duration.seconds(props.timeoutSeconds),
      handler: 'index.handler',
      code: Code.fromAsset(dirname(bundleFile(props.functionsDir, props.name))),
      environment: Object.assign({}, ...props.permissions.map((access) => access.environment)),
      role: new Role(this, 'Role', {
        assumedBy: new ServicePrincipal('lambda.amazonaws.com'),
        inlinePolicies: { permissions: new PolicyDocument({ statements }) },
      }),
      logGroup,
      loggingFormat: LoggingFormat.JSON,
      // The lines that Lambda writes about a call that went well say nothing that ours does not.
      systemLogLevelV2: SystemLogLevel.WARN,
      ...(props.reservedConcurrency !== undefined && {
        reservedConcurrentExecutions: props.reservedConcurrency,
      }),
      // Lambda would otherwise end a chain of follow-up messages after 16 of them.
      ...(props.goesOn && { recursiveLoop: RecursiveLoop.ALLOW }),
    })
  }
}
