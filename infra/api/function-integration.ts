import {
  HttpIntegrationType,
  HttpRouteIntegration,
  type HttpRouteIntegrationConfig,
  IntegrationCredentials,
  PayloadFormatVersion,
} from 'aws-cdk-lib/aws-apigatewayv2'
import { PolicyDocument, PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam'
import type { IAlias } from 'aws-cdk-lib/aws-lambda'
import type { Construct } from 'constructs'

/**
 * The role with which API Gateway invokes exactly these aliases. It replaces a resource-based permission for each route
 * (D83). Only this account can pass it to API Gateway.
 */
export class InvocationRole extends Role {
  constructor(scope: Construct, id: string, aliases: readonly IAlias[]) {
    const invoke = new PolicyStatement({
      actions: ['lambda:InvokeFunction'],
      resources: aliases.map(({ functionArn }) => functionArn),
    })
    super(scope, id, {
      assumedBy: new ServicePrincipal('apigateway.amazonaws.com'),
      inlinePolicies: { permissions: new PolicyDocument({ statements: [invoke] }) },
    })
  }
}

/** Passes the requests of a route to the alias of a function, which API Gateway invokes with a role. */
export class FunctionIntegration extends HttpRouteIntegration {
  private readonly config: HttpRouteIntegrationConfig

  constructor(id: string, alias: IAlias, role: InvocationRole) {
    super(id)
    this.config = {
      type: HttpIntegrationType.AWS_PROXY,
      uri: alias.functionArn,
      payloadFormatVersion: PayloadFormatVersion.VERSION_2_0,
      credentials: IntegrationCredentials.fromRole(role),
    }
  }

  override bind(): HttpRouteIntegrationConfig {
    return this.config
  }
}
