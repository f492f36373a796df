import { CfnOutput, RemovalPolicy } from 'aws-cdk-lib'
import {
  AttributeType,
  BillingMode,
  type ITable,
  Table,
  TableEncryption,
} from 'aws-cdk-lib/aws-dynamodb'
import { Construct } from 'constructs'
import { type Access, access } from './grant.ts'

type TableAction =
  | 'GetItem'
  | 'PutItem'
  | 'UpdateItem'
  | 'DeleteItem'
  | 'Query'
  | 'BatchGetItem'
  | 'BatchWriteItem'

export interface ServiceTableProps {
  readonly keepData: boolean
  /** The name of a table that was restored from this one and is used in its stead. */
  readonly restoredTable?: string | undefined
}

/**
 * The one table: on demand, encrypted, restorable to any second of the last 35 days. With `keepData`
 * nothing short of switching its deletion protection off removes it.
 */
export class ServiceTable extends Construct {
  /** The one in use. */
  readonly table: ITable

  constructor(scope: Construct, id: string, { keepData, restoredTable }: ServiceTableProps) {
    super(scope, id)
    const own = new Table(this, 'Table', {
      partitionKey: { name: 'pk', type: AttributeType.STRING },
      sortKey: { name: 'sk', type: AttributeType.STRING },
      billingMode: BillingMode.PAY_PER_REQUEST,
      encryption: TableEncryption.AWS_MANAGED,
      pointInTimeRecoverySpecification: { pointInTimeRecoveryEnabled: true },
      timeToLiveAttribute: 'expiresAt',
      deletionProtection: keepData,
      removalPolicy: keepData ? RemovalPolicy.RETAIN : RemovalPolicy.DESTROY,
    })
    this.table = restoredTable
      ? Table.fromTableName(this, 'Restored', restoredTable)
      : (own as ITable)
    new CfnOutput(this, 'Name', { value: this.table.tableName }).overrideLogicalId('TableName')
  }

  /** Leave to call these actions on the table. */
  may(...actions: TableAction[]): Access {
    const names = actions.map((action) => `dynamodb:${action}`)
    return access(names, [this.table.tableArn], { TABLE_NAME: this.table.tableName })
  }
}
