import { CfnOutput, RemovalPolicy } from 'aws-cdk-lib'
import { AttributeType, BillingMode, Table, TableEncryption } from 'aws-cdk-lib/aws-dynamodb'
import { Construct } from 'constructs'
import { type Access, access } from './access.ts'

type TableAction =
  | 'GetItem'
  | 'PutItem'
  | 'UpdateItem'
  | 'DeleteItem'
  | 'Query'
  | 'BatchGetItem'
  | 'BatchWriteItem'

/**
 * The one table: on demand, encrypted, restorable to any second of the last 35 days. With `keepData`
 * nothing short of switching its deletion protection off removes it.
 */
export class ServiceTable extends Construct {
  readonly table: Table

  constructor(scope: Construct, id: string, { keepData }: { keepData: boolean }) {
    super(scope, id)
    this.table = new Table(this, 'Table', {
      partitionKey: { name: 'pk', type: AttributeType.STRING },
      sortKey: { name: 'sk', type: AttributeType.STRING },
      billingMode: BillingMode.PAY_PER_REQUEST,
      encryption: TableEncryption.AWS_MANAGED,
      pointInTimeRecoverySpecification: { pointInTimeRecoveryEnabled: true },
      timeToLiveAttribute: 'expiresAt',
      deletionProtection: keepData,
      removalPolicy: keepData ? RemovalPolicy.RETAIN : RemovalPolicy.DESTROY,
    })
    new CfnOutput(this, 'Name', { value: this.table.tableName }).overrideLogicalId('TableName')
  }

  /** Leave to call these actions on the table. */
  may(...actions: TableAction[]): Access {
    const names = actions.map((action) => `dynamodb:${action}`)
    return access(names, [this.table.tableArn], { TABLE_NAME: this.table.tableName })
  }
}
