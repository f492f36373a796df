import type { IFunction } from 'aws-cdk-lib/aws-lambda'
import { Construct } from 'constructs'
import { functionName, type OperationId, operationIds } from '../lib/contract/routes.ts'
import { functionTimeoutSeconds, workerTimeoutSeconds } from '../lib/domain/time-budget.ts'
import { workerName } from './bundle/bundle.ts'
import { permissions, type Resources } from './permissions.ts'
import { ServiceFunction } from './service-function.ts'
import type { Settings } from './settings.ts'

/** A function for each row of the route table, and the background worker. */
export class Functions extends Construct {
  readonly ofOperation: Readonly<Record<OperationId, IFunction>>
  readonly worker: IFunction

  constructor(
    scope: Construct,
    id: string,
    props: { resources: Resources; settings: Settings; functionsDir: string },
  ) {
    super(scope, id)
    const { settings, functionsDir } = props
    const allowed = permissions(props.resources, settings)
    const add = (of: keyof typeof allowed, name: string, timeoutSeconds: number): IFunction =>
      new ServiceFunction(this, name, {
        ...settings,
        name,
        functionsDir,
        timeoutSeconds,
        permissions: allowed[of],
        reservedConcurrency: settings.reservedConcurrency[of],
        goesOn: of === 'workQueue',
      }).function
    this.ofOperation = Object.fromEntries(
      operationIds.map((of) => [of, add(of, functionName(of), functionTimeoutSeconds)]),
    ) as Record<OperationId, IFunction>
    this.worker = add('workQueue', workerName, workerTimeoutSeconds)
  }
}
