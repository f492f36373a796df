import { CfnOutput, Duration, Fn, Stack, Validations } from 'aws-cdk-lib'
import { AccessLogFormat } from 'aws-cdk-lib/aws-apigateway'
import {
  HttpApi as Api,
  ApiMapping,
  type CfnStage,
  CorsHttpMethod,
  DomainName,
  HttpMethod,
  type HttpRoute,
  HttpStage,
  LogGroupLogDestination,
  SecurityPolicy,
} from 'aws-cdk-lib/aws-apigatewayv2'
import { HttpIamAuthorizer } from 'aws-cdk-lib/aws-apigatewayv2-authorizers'
import { HttpLambdaIntegration } from 'aws-cdk-lib/aws-apigatewayv2-integrations'
import { Certificate } from 'aws-cdk-lib/aws-certificatemanager'
import { type IMetric, Stats } from 'aws-cdk-lib/aws-cloudwatch'
import type { IFunction } from 'aws-cdk-lib/aws-lambda'
import {
  FilterPattern,
  LogGroup,
  type MetricFilter,
  type RetentionDays,
} from 'aws-cdk-lib/aws-logs'
import { Construct } from 'constructs'
import { type OperationId, operationIds, routes } from '../../functions/operations.ts'
import { cors } from '../../lib/contract/cors.ts'
import type { Route } from '../../lib/contract/route.ts'
import { functionName } from '../../lib/contract/route.ts'
import { metricNamespace } from '../../lib/observability/metrics.ts'
import { removalPolicy } from '../settings/removal-policy.ts'
import type { Settings } from '../settings/settings.ts'
import { stageThrottles } from './stage-throttles.ts'

/** The HTTP API: a throttled route for each path of the route table, with an access log. */
export class HttpApi extends Construct {
  readonly api: Api
  readonly stage: HttpStage
  readonly accessLog: LogGroup
  private readonly throttled: MetricFilter
  private readonly limited: MetricFilter
  private readonly rejected: MetricFilter

  constructor(
    scope: Construct,
    id: string,
    { functions, settings }: { functions: Record<OperationId, IFunction>; settings: Settings },
  ) {
    super(scope, id)
    this.api = new Api(this, 'Api', {
      createDefaultStage: false,
      disableExecuteApiEndpoint: !settings.executeApiEndpoint,
      corsPreflight: {
        allowOrigins: [...cors.allowOrigins],
        allowMethods: cors.allowMethods.map((method) => CorsHttpMethod[method]),
        allowHeaders: [...cors.allowHeaders],
        exposeHeaders: [...cors.exposeHeaders],
        maxAge: Duration.seconds(cors.maxAgeSeconds),
      },
    })
    const added = operationIds.flatMap((id) => this.addRoutes(id, functions[id], settings))
    const { logGroupPrefix } = settings
    this.accessLog = new LogGroup(this, 'AccessLog', {
      ...(logGroupPrefix && { logGroupName: `${logGroupPrefix}/http-api` }),
      retention: settings.logRetentionDays as RetentionDays,
      removalPolicy: removalPolicy(settings.keepData),
    })
    // API Gateway writes a hyphen if it did not call a function.
    this.throttled = this.addCount('throttledRequests', '429', '=')
    this.limited = this.addCount('limitedRequests', '429', '!=')
    this.rejected = this.addCount('rejectedCredentials', '401', '!=')
    this.stage = this.addStage(settings)
    // API Gateway rejects a throttle for a route that does not exist yet.
    this.stage.node.addDependency(...added)
    if (settings.domain) this.addDomain(settings.domain)
    new CfnOutput(this, 'Url', {
      value: `https://${this.originHost(settings)}`,
    }).overrideLogicalId('ApiUrl')
  }

  /** The host of the API, to which a distribution in front of it sends requests. */
  originHost({ domain, executeApiEndpoint }: Settings): string {
    if (domain && !executeApiEndpoint) return domain.name
    return Fn.select(2, Fn.split('/', this.api.apiEndpoint))
  }

  /** The number of requests to which API Gateway responded with 429, from the access log. */
  metricThrottledRequests(period: Duration): IMetric {
    return this.throttled.metric({ statistic: Stats.SUM, period, label: '429 of API Gateway' })
  }

  /** The number of requests that exceeded a limit of the service (D47), to which a function responded with 429. */
  metricLimitedRequests(period: Duration): IMetric {
    return this.limited.metric({ statistic: Stats.SUM, period, label: '429 of a limit' })
  }

  /** The number of requests whose API key, user JWT or player token a function rejected. */
  metricRejectedCredentials(period: Duration): IMetric {
    return this.rejected.metric({ statistic: Stats.SUM, period, label: '401' })
  }

  /** Counts the responses with a status in the access log, with or without a call of a function. */
  private addCount(name: string, status: string, withoutFunction: '=' | '!='): MetricFilter {
    return this.accessLog.addMetricFilter(`${name[0]?.toUpperCase()}${name.slice(1)}`, {
      filterPattern: FilterPattern.all(
        FilterPattern.stringValue('$.status', '=', status),
        FilterPattern.stringValue('$.functionMilliseconds', withoutFunction, '-'),
      ),
      metricNamespace,
      metricName: `${Stack.of(this).stackName}-${name}`,
      defaultValue: 0,
    })
  }

  private addRoutes(id: OperationId, handler: IFunction, settings: Settings): HttpRoute[] {
    const route: Route = routes[id]
    const integration = new HttpLambdaIntegration(functionName(id), handler)
    const isClosed = id === 'registerProduct' && !settings.registrationOpen
    const added = route.paths.flatMap((path) =>
      this.api.addRoutes({
        path,
        methods: [HttpMethod[route.method]],
        integration,
        ...(isClosed && { authorizer: new HttpIamAuthorizer() }),
      }),
    )
    if (!isClosed) for (const each of added) acknowledgeNoAuthorizer(each, route)
    return added
  }

  private addStage(settings: Settings): HttpStage {
    const throttles = stageThrottles(this, settings)
    const stage = new HttpStage(this, 'Stage', {
      httpApi: this.api,
      stageName: '$default',
      autoDeploy: true,
      throttle: throttles.others,
      accessLogSettings: {
        destination: new LogGroupLogDestination(this.accessLog),
        format: AccessLogFormat.custom(JSON.stringify(accessLogLine)),
      },
    })
    const routeSettings = Object.entries(throttles.routes).map(([key, throttle]) => [
      key,
      { ThrottlingRateLimit: throttle.rateLimit, ThrottlingBurstLimit: throttle.burstLimit },
    ])
    const resource = stage.node.defaultChild as CfnStage
    resource.routeSettings = Object.fromEntries(routeSettings)
    return stage
  }

  private addDomain({ name, certificateArn }: NonNullable<Settings['domain']>): void {
    const domainName = new DomainName(this, 'Domain', {
      domainName: name,
      securityPolicy: SecurityPolicy.TLS_1_2,
      certificate: Certificate.fromCertificateArn(this, 'Certificate', certificateArn),
    })
    new ApiMapping(this, 'Mapping', { api: this.api, domainName, stage: this.stage })
    new CfnOutput(this, 'DomainTarget', {
      value: domainName.regionalDomainName,
    }).overrideLogicalId('DomainTarget')
  }
}

/** A line of the access log. It never contains the requested path, the query string or a header (D5). */
const accessLogLine = {
  requestId: '$context.requestId',
  lambdaRequestId: '$context.awsEndpointRequestId',
  time: '$context.requestTime',
  sourceIp: '$context.identity.sourceIp',
  route: '$context.routeKey',
  status: '$context.status',
  responseBytes: '$context.responseLength',
  latencyMilliseconds: '$context.responseLatency',
  functionMilliseconds: '$context.integrationLatency',
  error: '$context.error.message',
  functionError: '$context.integrationErrorMessage',
}

const acknowledgeNoAuthorizer = (route: HttpRoute, { auth, player }: Route): void =>
  Validations.of(route).acknowledge({
    id: 'AwsSolutions-APIG4',
    reason:
      auth === 'NONE' && !player
        ? 'The specification (section 5) requires no credential for this route. The route is throttled.'
        : 'The function verifies the API key, user JWT or player token (specification, section 5).',
  })
