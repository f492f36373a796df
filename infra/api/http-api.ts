import { CfnOutput, Duration, Fn, Stack, Validations } from 'aws-cdk-lib'
import { AccessLogFormat } from 'aws-cdk-lib/aws-apigateway'
import {
  HttpApi as Api,
  ApiMapping,
  type CfnStage,
  CorsHttpMethod,
  DomainName,
  HttpMethod,
  HttpRoute,
  HttpRouteKey,
  HttpStage,
  LogGroupLogDestination,
  SecurityPolicy,
} from 'aws-cdk-lib/aws-apigatewayv2'
import { HttpIamAuthorizer } from 'aws-cdk-lib/aws-apigatewayv2-authorizers'
import { Certificate } from 'aws-cdk-lib/aws-certificatemanager'
import { Construct } from 'constructs'
import { cors } from '../../lib/contract/cors.ts'
import { functionName, type Route } from '../../lib/contract/route.ts'
import type { OperationFunction } from '../functions.ts'
import type { Settings } from '../settings/settings.ts'
import { partIn } from '../subject-stacks.ts'
import { AccessLog, accessLogLine } from './access-log.ts'
import { FunctionIntegration, InvocationRole } from './function-integration.ts'
import { stageThrottles } from './stage-throttles.ts'

/**
 * The HTTP API: a throttled route for each path of the route table, with an access log. A route is in the stack of its function,
 * which has a role for its own aliases (D147).
 */
export class HttpApi extends Construct {
  readonly api: Api
  readonly stage: HttpStage
  readonly accessLog: AccessLog

  constructor(
    scope: Construct,
    id: string,
    { operations, settings }: { operations: readonly OperationFunction[]; settings: Settings },
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
    const byStack = Map.groupBy(operations, ({ live }) => Stack.of(live))
    const added = [...byStack].flatMap(([stack, own]) =>
      this.addRoutes(partIn(stack, this), own, settings),
    )
    this.accessLog = new AccessLog(this, 'AccessLog', settings)
    const rows = operations.map(({ route }) => route)
    this.stage = this.addStage(rows, settings)
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

  /** Adds the routes of operations whose functions are in the stack of a scope. */
  private addRoutes(
    scope: Construct,
    operations: readonly OperationFunction[],
    { keepData, registrationOpen }: Settings,
  ): HttpRoute[] {
    const role = new InvocationRole(scope, 'InvocationRole', {
      aliases: operations.map(({ live }) => live),
      remains: keepData && scope === this,
    })
    return operations.flatMap(({ route, live }) => {
      const integration = new FunctionIntegration(functionName(route.id), live, role)
      const isClosed = route.id === 'registerProduct' && !registrationOpen
      return route.paths.map((path) => {
        const key = HttpRouteKey.with(path, HttpMethod[route.method])
        const added = new HttpRoute(scope, key.key, {
          httpApi: this.api,
          routeKey: key,
          integration,
          ...(isClosed && { authorizer: new HttpIamAuthorizer() }),
        })
        if (!isClosed) acknowledgeNoAuthorizer(added, route)
        return added
      })
    })
  }

  private addStage(rows: readonly Route[], settings: Settings): HttpStage {
    const throttles = stageThrottles(this, settings, rows)
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

const acknowledgeNoAuthorizer = (route: HttpRoute, { auth, player }: Route): void =>
  Validations.of(route).acknowledge({
    id: 'AwsSolutions-APIG4',
    reason:
      auth === 'NONE' && !player
        ? 'The specification (section 5) requires no credential for this route. The route is throttled.'
        : 'The function verifies the API key, user JWT or player token (specification, section 5).',
  })
