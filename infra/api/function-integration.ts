import { RemovalPolicy } from 'aws-cdk-lib'
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
import { rootStack } from '../subject-stacks.ts'

/**
 * The role with which API Gateway invokes exactly these aliases. It replaces a resource-based permission for each route
 * (D83). Only this account can pass it to API Gateway. If it `remains`, it stays in the account when it leaves the stack, even if
 * the deployment that creates it fails: integrations that CloudFormation turns back may keep it.
 */
export class InvocationRole extends Role {
  constructor(
    scope: Construct,
    id: string,
    { aliases, remains }: { aliases: readonly IAlias[]; remains: boolean },
  ) {
    const invoke = new PolicyStatement({
      actions: ['lambda:InvokeFunction'],
      resources: aliases.map(({ functionArn }) => functionArn),
    })
    super(scope, id, {
      // The list of roles has no tags, and CloudFormation may shorten the name of the stack in that of the role.
      description: `API Gateway invokes the functions of ${rootStack(scope).stackName}`,
      assumedBy: new ServicePrincipal('apigateway.amazonaws.com'),
      inlinePolicies: { permissions: new PolicyDocument({ statements: [invoke] }) },
    })
    if (remains) this.applyRemovalPolicy(RemovalPolicy.RETAIN)
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
