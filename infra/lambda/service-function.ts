import { dirname } from 'node:path'
import { Duration, RemovalPolicy, Stack } from 'aws-cdk-lib'
import { PolicyDocument, PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam'
import {
  Alias,
  Architecture,
  type CfnFunction,
  Code,
  type IAlias,
  type IVersion,
  Function as LambdaFunction,
  LoggingFormat,
  RecursiveLoop,
  Runtime,
  SystemLogLevel,
} from 'aws-cdk-lib/aws-lambda'
import { type ILogGroup, LogGroup } from 'aws-cdk-lib/aws-logs'
import { Construct } from 'constructs'
import { bundleFile } from '../bundle/bundle.ts'
import { type LogSettings, logGroupProps } from '../settings/log-groups.ts'
import { localStage } from '../settings/stages.ts'
import { rootStack } from '../subject-stacks.ts'
import { liveAlias, permissionDigests, withPermissions } from './deployment-id.ts'
import type { Grant } from './grant.ts'

export interface ServiceFunctionProps extends LogSettings {
  /** The name of the function within the stack. */
  readonly name: string
  /** The folder that holds the bundles of all functions. */
  readonly functionsDir: string
  readonly timeoutSeconds: number
  readonly grants: readonly Grant[]
  readonly reservedConcurrency: number | undefined
  readonly memoryMegabytes: number
  /** The log group that the function shares with others. By default, it has one of its own. */
  readonly logGroup?: ILogGroup
  readonly stage: string
  /** The endpoint of AWS in the stage `local`. */
  readonly awsEndpointUrl?: string | undefined
  /** By default, CloudFormation names the role. */
  readonly roleName?: string | undefined
  /** Whether messages that the function sends may invoke the function again, without a limit. */
  readonly allowRecursion: boolean
}

/** A Lambda function with its own role, which has the given grants and permission to write into the log group. */
export class ServiceFunction extends Construct {
  readonly function: LambdaFunction
  /** The name of the function in its account and Region. */
  readonly name: string
  readonly logGroup: ILogGroup
  private readonly permissions: readonly string[]

  constructor(scope: Construct, id: string, props: ServiceFunctionProps) {
    super(scope, id)
    this.name = `${rootStack(this).stackName}-${props.name}`
    this.logGroup = props.logGroup ?? new LogGroup(this, 'Logs', logGroupProps(props, props.name))
    const logging = new PolicyStatement({
      actions: ['logs:CreateLogStream', 'logs:PutLogEvents'],
      resources: [this.logGroup.logGroupArn],
    })
    const granted = props.grants.flatMap(({ statements }) => statements)
    this.permissions = permissionDigests(
      Stack.of(this).resolve(granted.map((each) => each.toStatementJson())),
    )
    const statements = [logging, ...granted]
    this.function = new LambdaFunction(this, 'Function', {
      functionName: this.name,
      runtime: Runtime.NODEJS_24_X,
      architecture: architectureOf(props.stage),
      memorySize: props.memoryMegabytes,
      timeout: Duration.seconds(props.timeoutSeconds),
      handler: 'index.handler',
      // Source maps are four fifths of a bundle, and no code reads them at run time.
      code: Code.fromAsset(dirname(bundleFile(props.functionsDir, props.name)), {
        exclude: ['*.js.map'],
      }),
      environment: Object.assign(
        props.awsEndpointUrl ? { AWS_ENDPOINT_URL: props.awsEndpointUrl } : {},
        ...props.grants.map(({ environment }) => environment),
      ),
      role: new Role(this, 'Role', {
        ...(props.roleName && { roleName: props.roleName }),
        assumedBy: new ServicePrincipal('lambda.amazonaws.com'),
        inlinePolicies: { permissions: new PolicyDocument({ statements }) },
      }),
      logGroup: this.logGroup,
      loggingFormat: LoggingFormat.JSON,
      // The lines that Lambda logs for a successful invocation repeat what the service's own line says.
      systemLogLevelV2: SystemLogLevel.WARN,
      ...(props.reservedConcurrency !== undefined && {
        reservedConcurrentExecutions: props.reservedConcurrency,
      }),
      // Otherwise Lambda stops a chain of follow-up messages after 16 invocations.
      ...(props.allowRecursion && { recursiveLoop: RecursiveLoop.ALLOW }),
      // Old versions are what a roll-back needs. A version of an update that has failed is deleted.
      currentVersionOptions: { removalPolicy: RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE },
    })
  }

  /** The code and the configuration that a version of the function keeps, as the template has them, and its permissions. */
  get versioned(): unknown {
    const { permissions } = this
    const { code, environment, handler, loggingConfig, memorySize, runtime, timeout } =
      this.resource
    const kept = { code, environment, handler, loggingConfig, memorySize, runtime, timeout }
    return Stack.of(this).resolve({ ...kept, permissions })
  }

  /**
   * Publishes a version with this description and its permissions, whenever a deployment changes the function or the description. Returns
   * the alias `live` of this version, which is what API Gateway, event sources and schedules invoke (D69).
   */
  publish(description: string): IAlias {
    this.resource.description = withPermissions(description, this.permissions)
    const version = this.function.currentVersion as IVersion
    return new Alias(this, 'Live', { aliasName: liveAlias, version }) as IAlias
  }

  private get resource(): CfnFunction {
    return this.function.node.defaultChild as CfnFunction
  }
}

/** Emulators run functions on this machine, and arm64 is cheaper on AWS. */
const architectureOf = (stage: string): Architecture =>
  stage === localStage && process.arch !== 'arm64' ? Architecture.X86_64 : Architecture.ARM_64
