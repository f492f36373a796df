import { CustomResource, Duration, Stack, Validations } from 'aws-cdk-lib'
import { Construct } from 'constructs'
import type {
  CheckedAttributes,
  CheckedProperties,
  KeyList,
} from '../custom-resources/deployment-checks/checked-properties.ts'
import type { ServiceTable } from '../data/service-table.ts'
import { type SigningKeys, signingAlias } from '../keys/signing-keys.ts'
import { allow, environment, type Grant } from '../lambda/grant.ts'
import { ServiceFunction } from '../lambda/service-function.ts'
import type { Settings } from '../settings/settings.ts'

/** The name of the function, which is the name of its folder under infra/custom-resources. */
export const checksName = 'deployment-checks'

const timeoutSeconds = 60
const userJwtPurpose = 'user JWTs'

export interface DeploymentChecksProps {
  readonly settings: Settings
  readonly functionsDir: string
  readonly table: ServiceTable
  readonly playerTokenKeys: SigningKeys
  /** Undefined if the login signs with keys of its own. */
  readonly userJwtKeys: SigningKeys | undefined
}

/**
 * A custom resource that fails a deployment before it changes a function, if valid tokens would be rejected (D43,
 * D75), if the deployment leaves a restored table by mistake (D76), or if it uses a key or a table that does not exist.
 * It knows what is deployed, which the CDK does not. It reads the public keys of player tokens for the functions (D74).
 */
export class DeploymentChecks extends Construct {
  /** Resources that depend on it change only in deployments that have passed the checks. */
  readonly passed: CustomResource

  constructor(scope: Construct, id: string, props: DeploymentChecksProps) {
    super(scope, id)
    const { settings, functionsDir, table, playerTokenKeys, userJwtKeys } = props
    const imported = [playerTokenKeys, userJwtKeys].flatMap((keys) => keys?.importedKeyArns ?? [])
    const { function: checks } = new ServiceFunction(this, checksName, {
      ...settings,
      name: checksName,
      functionsDir,
      timeoutSeconds,
      grants: [
        // KMS has no narrower permission to read an alias.
        allow(['kms:ListAliases'], ['*']),
        allow(['kms:GetPublicKey'], playerTokenKeys.keyArns),
        // Whether CloudFormation rolls back.
        allow(['cloudformation:DescribeStacks'], [Stack.of(this).stackId]),
        ...(imported.length > 0 ? [allow(['kms:DescribeKey'], imported)] : []),
        ...(settings.restoredTable
          ? [allow(['dynamodb:DescribeTable'], [table.table.tableArn])]
          : []),
        ...(settings.indexerSecretArn
          ? [allow(['secretsmanager:DescribeSecret'], [settings.indexerSecretArn])]
          : []),
      ],
      reservedConcurrency: undefined,
      allowRecursion: false,
    })
    Validations.of(this).acknowledge({
      id: 'AwsSolutions-IAM5[Resource::*]',
      reason: 'kms:ListAliases cannot be restricted to a resource. It reads names, never a key.',
    })
    const properties: CheckedProperties = {
      Keys: [
        playerTokenKeys.checkedList('player tokens', 'playerTokenKeys'),
        userJwtKeys?.checkedList(userJwtPurpose, 'userJwtKeys') ??
          externalKeys(Stack.of(this), settings),
      ],
      DropAllKeys: `${settings.dropAllKeys}`,
      ImportedKeys: imported,
      RestoredTable: settings.restoredTable ?? '',
      LeaveTable: settings.leaveTable ?? '',
      IndexerSecret: settings.indexerSecretArn ?? '',
      PublicKeysOf: playerTokenKeys.keyArns,
    }
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

/** The public keys of an external login. */
const externalKeys = (stack: Stack, { loginPublicKeys }: Settings): KeyList => ({
  Purpose: userJwtPurpose,
  Alias: signingAlias(stack, 'user-jwt'),
  Accepted: loginPublicKeys ?? [],
})
