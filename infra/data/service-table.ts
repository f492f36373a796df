import { CfnOutput, Stack } from 'aws-cdk-lib'
import {
  AttributeType,
  BillingMode,
  ContributorInsightsMode,
  type ITable,
  Table,
  TableEncryption,
} from 'aws-cdk-lib/aws-dynamodb'
import { PolicyStatement } from 'aws-cdk-lib/aws-iam'
import { Key } from 'aws-cdk-lib/aws-kms'
import { Construct } from 'constructs'
import { allow, type Conditions, type Grant } from '../lambda/grant.ts'
import { removalPolicy } from '../settings/removal-policy.ts'
import type { Settings } from '../settings/settings.ts'

type ReadAction = 'GetItem' | 'Query' | 'BatchGetItem'
type WriteAction = 'PutItem' | 'UpdateItem' | 'DeleteItem' | 'BatchWriteItem'

/** The kinds of partitions of the table, as their partition keys begin (lib/adapters/dynamodb/table.ts). */
export type Partitions =
  | 'PRODUCT'
  | 'API_KEY'
  | 'BINDING'
  | 'PLAYER'
  | 'USER'
  | 'REGISTRATIONS'
  | 'WALLET'
  | 'FOLLOW'
  | 'KEPT'
  | 'KEPTUSE'
  | 'KEPTWANT'
  | 'KEPTTRY'
  | 'KEPTLISTS'
  | 'KEPTOWN'
  | 'KEPTLOG'
  | 'KEPTSUM'
  | 'KEPTCARE'
  | 'KEPTCHOICE'
  | 'HOLD'
  | 'HOLDING'
  | 'META'
  | 'METADUE'
  | 'NONCE'
  | 'DEVICE'
  | 'NETWORK'
  | 'SIGN_INS'
  | 'WEBHOOK_HOST'
  | 'WEBHOOK_PLACES'

/** The settings of the table, and its name: by default, CloudFormation names it. */
type ServiceTableProps = Settings & { readonly name?: string | undefined }

/**
 * The table of the service: on demand, encrypted, and restorable to any second of the last 35 days. With
 * `keepData`, the table cannot be deleted until its deletion protection is turned off.
 */
export class ServiceTable extends Construct {
  /** The table that the functions use: the restored table, if there is one. */
  readonly table: ITable
  private readonly maintenance: boolean
  private readonly useKey: readonly PolicyStatement[]

  constructor(
    scope: Construct,
    id: string,
    { name, keepData, restoredTable, tableKeyArn, maintenance }: ServiceTableProps,
  ) {
    super(scope, id)
    this.useKey = tableKeyArn ? [permissionToUse(tableKeyArn, Stack.of(this))] : []
    this.maintenance = maintenance
    const own = new Table(this, 'Table', {
      ...(name && { tableName: name }),
      partitionKey: { name: 'pk', type: AttributeType.STRING },
      sortKey: { name: 'sk', type: AttributeType.STRING },
      billingMode: BillingMode.PAY_PER_REQUEST,
      ...(tableKeyArn
        ? {
            encryption: TableEncryption.CUSTOMER_MANAGED,
            encryptionKey: Key.fromKeyArn(this, 'Encryption', tableKeyArn),
          }
        : // The key of DynamoDB. The key that AWS manages in the account costs money and cannot be restricted.
          { encryption: TableEncryption.DEFAULT }),
      pointInTimeRecoverySpecification: { pointInTimeRecoveryEnabled: true },
      timeToLiveAttribute: 'expiresAt',
      // The other mode charges for every request.
      contributorInsightsSpecification: {
        enabled: true,
        mode: ContributorInsightsMode.THROTTLED_KEYS,
      },
      deletionProtection: keepData,
      removalPolicy: removalPolicy(keepData),
    })
    this.table = restoredTable
      ? Table.fromTableName(this, 'Restored', restoredTable)
      : (own as ITable)
    new CfnOutput(this, 'Name', { value: this.table.tableName }).overrideLogicalId('TableName')
  }

  /** Permission to read the table with these actions. */
  grantRead(...actions: ReadAction[]): Grant {
    return this.grant(actions)
  }

  /** Permission to read items of these kinds of partitions with these actions, for a function that must not read the others. */
  grantReadOf(partitions: readonly Partitions[], ...actions: ReadAction[]): Grant {
    return this.grant(actions, leadingKeys(partitions))
  }

  /** Permission to write items of these kinds of partitions with these actions. */
  grantWrite(partitions: readonly Partitions[], ...actions: WriteAction[]): Grant {
    return this.grant(actions, leadingKeys(partitions))
  }

  private grant(actions: readonly (ReadAction | WriteAction)[], conditions?: Conditions): Grant {
    const names = actions.map((action) => `dynamodb:${action}`)
    const variables = {
      TABLE_NAME: this.table.tableName,
      ...(this.maintenance && { MAINTENANCE: 'true' }),
    }
    const { statements, environment } = allow(names, [this.table.tableArn], variables, conditions)
    return { statements: [...statements, ...this.useKey], environment }
  }
}

/** The condition that all items of a request are in partitions of these kinds. */
const leadingKeys = (partitions: readonly Partitions[]): Conditions => ({
  'ForAllValues:StringLike': {
    'dynamodb:LeadingKeys': partitions.map((partition) => `${partition}#*`),
  },
})

/**
 * DynamoDB uses the key of a table with the permissions of its caller. KMS names the service with `amazonaws.com`
 * (https://docs.aws.amazon.com/kms/latest/developerguide/conditions-kms.html#conditions-kms-via-service). AWS does not
 * say whether it does in partitions with another suffix, so there both are DynamoDB.
 */
const permissionToUse = (keyArn: string, { region, urlSuffix }: Stack) =>
  new PolicyStatement({
    actions: [
      'kms:Decrypt',
      'kms:DescribeKey',
      'kms:Encrypt',
      'kms:GenerateDataKey',
      'kms:ReEncryptFrom',
      'kms:ReEncryptTo',
    ],
    resources: [keyArn],
    conditions: {
      StringEquals: {
        'kms:ViaService': ['amazonaws.com', urlSuffix].map(
          (suffix) => `dynamodb.${region}.${suffix}`,
        ),
      },
    },
  })
