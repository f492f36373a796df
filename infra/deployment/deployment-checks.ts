import { CustomResource, Duration, Lazy, Stack, Validations } from 'aws-cdk-lib'
import { CfnFunction } from 'aws-cdk-lib/aws-lambda'
import type { ILogGroup } from 'aws-cdk-lib/aws-logs'
import { Construct } from 'constructs'
import {
  type AccountNeeds,
  type CheckedAttributes,
  type CheckedProperties,
  type KeyList,
  stackForm,
} from '../custom-resources/deployment-checks/checked-properties.ts'
import type { ServiceTable } from '../data/service-table.ts'
import type { GeneratedSecrets } from '../keys/generated-secrets.ts'
import { type SigningKeys, signingAlias } from '../keys/signing-keys.ts'
import { allow, environment, type Grant } from '../lambda/grant.ts'
import { ServiceFunction } from '../lambda/service-function.ts'
import { accessLogInPolicy } from '../settings/log-groups.ts'
import type { Settings } from '../settings/settings.ts'

/** The name of the function, which is the name of its folder under infra/custom-resources. */
export const checksName = 'deployment-checks'

const timeoutSeconds = 60
const userJwtPurpose = 'user JWTs'

export interface DeploymentChecksProps {
  readonly settings: Settings
  readonly functionsDir: string
  readonly logGroup: ILogGroup
  readonly table: ServiceTable
  readonly playerTokenKeys: SigningKeys
  /** Undefined if the login signs with keys of its own. */
  readonly userJwtKeys: SigningKeys | undefined
  /** Undefined in a deployment without webhooks. */
  readonly webhookSecrets?: GeneratedSecrets | undefined
}

/**
 * A custom resource that fails a deployment before it changes a function, if the stack has another form (D147), if valid tokens
 * would be rejected (D43, D75, D90), if the deployment leaves a restored table by mistake (D76), if it uses a key or a table that does not exist, or
 * if AWS would refuse what it needs of the account (D81). It knows what is deployed, which the CDK does not. It reads the public keys of player tokens for the functions (D74).
 */
export class DeploymentChecks extends Construct {
  /** Resources that depend on it change only in deployments that have passed the checks. */
  readonly passed: CustomResource

  constructor(scope: Construct, id: string, props: DeploymentChecksProps) {
    super(scope, id)
    const { settings, functionsDir, logGroup, table } = props
    const properties = checkedProperties(Stack.of(this), props)
    const { ImportedKeys, IndexerSecret, Needs, PublicKeysOf, Signers, WebhookSecrets } = properties
    const secrets = [...(IndexerSecret ? [IndexerSecret] : []), ...(WebhookSecrets ?? [])]
    const { function: checks } = new ServiceFunction(this, checksName, {
      ...settings,
      name: checksName,
      functionsDir,
      logGroup,
      timeoutSeconds,
      grants: [
        // These actions have no resource.
        allow(
          [
            'kms:ListAliases',
            ...(settings.reservedConcurrency === 'none' ? [] : ['lambda:GetAccountSettings']),
            ...(Needs.AccessLog ? ['logs:DescribeResourcePolicies'] : []),
          ],
          ['*'],
        ),
        allow(['kms:GetPublicKey'], PublicKeysOf),
        // Whether CloudFormation creates the stack, or rolls it back.
        allow(['cloudformation:DescribeStacks'], [Stack.of(this).stackId]),
        ...(ImportedKeys.length > 0 ? [allow(['kms:DescribeKey'], ImportedKeys)] : []),
        ...(Signers ? [allow(['kms:GetKeyPolicy'], [Signers.Key])] : []),
        ...(settings.restoredTable
          ? [allow(['dynamodb:DescribeTable'], [table.table.tableArn])]
          : []),
        ...secrets.map((arn) => allow(['secretsmanager:DescribeSecret'], [arn])),
        ...Needs.Certificates.map(({ Arn }) => allow(['acm:DescribeCertificate'], [Arn])),
      ],
      reservedConcurrency: undefined,
      allowRecursion: false,
    })
    Validations.of(this).acknowledge({
      id: 'AwsSolutions-IAM5[Resource::*]',
      reason:
        'The names of aliases, the quotas of Lambda and the policies of CloudWatch Logs belong to no resource. They are only read.',
    })
    this.passed = new CustomResource(this, 'Checks', {
      resourceType: 'Custom::DeploymentChecks',
      serviceToken: checks.functionArn,
      serviceTimeout: Duration.seconds(2 * timeoutSeconds),
      properties,
    })
  }

  /** The public keys of player tokens, as an environment variable. It is empty if one of them cannot be read. */
  grantPublicKeys(): Grant {
    const attribute: keyof CheckedAttributes = 'PlayerTokenPublicKeys'
    return environment({ PLAYER_TOKEN_PUBLIC_KEYS: this.passed.getAttString(attribute) })
  }
}

function checkedProperties(stack: Stack, props: DeploymentChecksProps): CheckedProperties {
  const { settings, playerTokenKeys, userJwtKeys } = props
  const webhookSecrets = props.webhookSecrets?.importedArns ?? []
  // Every version has one role that signs: more of them are looked for (D113).
  const signers = settings.walletSignIn && playerTokenKeys.importedSigners
  return {
    Form: stackForm,
    Keys: [
      playerTokenKeys.checkedList('player tokens', 'playerTokenKeys'),
      userJwtKeys?.checkedList(userJwtPurpose, 'userJwtKeys') ?? externalKeys(stack, settings),
    ],
    PlayerTokenIssuers: settings.playerTokenIssuers ?? [settings.issuer ?? ''],
    DropAllKeys: `${settings.dropAllKeys}`,
    ImportedKeys: [playerTokenKeys, userJwtKeys].flatMap((keys) => keys?.importedKeyArns ?? []),
    ...(signers && { Signers: signers }),
    RestoredTable: settings.restoredTable ?? '',
    LeaveTable: settings.leaveTable ?? '',
    IndexerSecret: settings.indexerSecretArn ?? '',
    ...(webhookSecrets.length > 0 && { WebhookSecrets: webhookSecrets }),
    PublicKeysOf: playerTokenKeys.keyArns,
    Needs: {
      // The functions of the stack do not exist yet.
      ReservedConcurrency: Lazy.string({ produce: () => `${reservedIn(stack)}` }),
      Certificates: certificatesOf(settings),
      AccessLog: accessLogInPolicy(settings) ?? '',
    },
  }
}

/** The public keys of the logins elsewhere; none if one of them has a key set, whose keys are not known. */
function externalKeys(stack: Stack, { loginPublicKeys, logins = [] }: Settings): KeyList {
  const areKnown = logins.every(({ publicKeys }) => publicKeys !== undefined)
  const listed = areKnown ? logins.flatMap(({ publicKeys = [] }) => publicKeys) : []
  return {
    Purpose: userJwtPurpose,
    Alias: signingAlias(stack, 'user-jwt'),
    Accepted: loginPublicKeys ?? listed,
  }
}

/** The sum of the concurrent executions that the functions of a stack reserve. */
const reservedIn = (stack: Stack): number =>
  stack.node
    .findAll()
    .filter((each) => each instanceof CfnFunction)
    .reduce((sum, each) => sum + (each.reservedConcurrentExecutions ?? 0), 0)

function certificatesOf({ domain, edge }: Settings): AccountNeeds['Certificates'] {
  const domains = [
    { Setting: 'domain', ...domain },
    { Setting: 'edge.domain', ...edge?.domain },
  ] as const
  return domains.flatMap(({ Setting, name: Domain, certificateArn: Arn }) =>
    Arn !== undefined && Domain !== undefined ? [{ Setting, Arn, Domain }] : [],
  )
}
