import type { Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda'
import type { ILogGroup } from 'aws-cdk-lib/aws-logs'
import { Construct } from 'constructs'
import { functionName, type OperationId, operationIds, routes } from '../lib/contract/routes.ts'
import { functionTimeoutSeconds, workerTimeoutSeconds } from '../lib/domain/time-budget.ts'
import { workerName } from './bundle/bundle.ts'
import { permissions, type Resources } from './permissions.ts'
import { type FunctionId, reservedConcurrency } from './reserved-concurrency.ts'
import { ServiceFunction } from './service-function.ts'
import type { Settings } from './settings.ts'

/** One function for each operation of the route table, and the background worker. */
export class Functions extends Construct {
  readonly byOperation: Readonly<Record<OperationId, LambdaFunction>>
  readonly worker: LambdaFunction
  /** The log groups whose lines name a product. */
  readonly productLogGroups: readonly ILogGroup[]

  constructor(
    scope: Construct,
    id: string,
    props: { resources: Resources; settings: Settings; functionsDir: string },
  ) {
    super(scope, id)
    const { settings, functionsDir } = props
    const grants = permissions(props.resources, settings)
    const reserved = reservedConcurrency(settings)
    const add = (id: FunctionId, name: string, timeoutSeconds: number): LambdaFunction =>
      new ServiceFunction(this, name, {
        ...settings,
        name,
        functionsDir,
        timeoutSeconds,
        grants: grants[id],
        reservedConcurrency: reserved[id],
        allowRecursion: id === 'workQueue',
      }).function
    this.byOperation = Object.fromEntries(
      operationIds.map((id) => [id, add(id, functionName(id), functionTimeoutSeconds)]),
    ) as Record<OperationId, LambdaFunction>
    this.worker = add('workQueue', workerName, workerTimeoutSeconds)
    const ofProducts = operationIds.filter((id) => routes[id].auth === 'PRODUCT')
    this.productLogGroups = [...ofProducts.map((id) => this.byOperation[id]), this.worker].map(
      ({ logGroup }) => logGroup,
    )
  }
}
