import type { IAlias } from 'aws-cdk-lib/aws-lambda'
import { type ILogGroup, LogGroup } from 'aws-cdk-lib/aws-logs'
import { Construct } from 'constructs'
import type { OperationId } from '../functions/operations.ts'
import { delivererName, followerName } from '../lib/contract/background-names.ts'
import { functionName, type Route } from '../lib/contract/route.ts'
import {
  delivererTimeoutSeconds,
  followerTimeoutSeconds,
  functionTimeoutSeconds,
  workerTimeoutSeconds,
} from '../lib/domain/time-budget.ts'
import { workerName } from './bundle/bundle.ts'
import { tokenSignerRoleName } from './keys/signing-keys.ts'
import { deploymentDescription } from './lambda/deployment-id.ts'
import { ServiceFunction, type ServiceFunctionProps } from './lambda/service-function.ts'
import { permissions, type Resources } from './permissions.ts'
import { logGroupProps } from './settings/log-groups.ts'
import {
  delivererReservation,
  followerReservation,
  isFollowing,
  reservedConcurrency,
} from './settings/reserved-concurrency.ts'
import type { Settings } from './settings/settings.ts'
import { partIn, rootStack, type SubjectStacks } from './subject-stacks.ts'

/** The follower runs all the time, so its memory is on the bill. It needs little. */
const followerMegabytes = 256

/** Most of a delivery is waiting for the server of a webhook. */
const delivererMegabytes = 256

/** A function by its name, under which metrics cover all of its versions, and the alias that callers invoke. */
export interface LiveFunction {
  readonly name: string
  readonly live: IAlias
}

/** The function of an operation. */
export interface OperationFunction extends LiveFunction {
  readonly route: Route
}

export interface FunctionsProps {
  readonly resources: Resources
  readonly operations: readonly Route[]
  readonly settings: Settings
  readonly functionsDir: string
  readonly stacks: SubjectStacks
}

/** What differs between the functions. */
type OwnProps = Pick<ServiceFunctionProps, 'timeoutSeconds' | 'grants' | 'reservedConcurrency'> &
  Partial<ServiceFunctionProps>

/**
 * One function for each operation, the background worker, the follower of all followed chains (D152), and the one that delivers to
 * webhooks (D122), each in the stack of its subject (D147). All versions of a deployment have the same description. The operations
 * share a log group (D83), which stays in the root, as all log groups do.
 */
export class Functions extends Construct {
  readonly operations: readonly OperationFunction[]
  readonly worker: LiveFunction
  /** Absent in a deployment that follows no chain. */
  readonly follower: LiveFunction | undefined
  /** Absent in a deployment without webhooks. */
  readonly deliverer: LiveFunction | undefined
  readonly operationLogs: ILogGroup
  readonly workerLogs: ILogGroup
  /** The log group of the follower, if there is one. */
  readonly followerLogs: readonly ILogGroup[]
  /** The log group of the function that delivers to webhooks, if there is one. */
  readonly delivererLogs: readonly ILogGroup[]

  constructor(scope: Construct, id: string, props: FunctionsProps) {
    super(scope, id)
    const { operations, settings, functionsDir, stacks } = props
    this.operationLogs = new LogGroup(this, 'OperationLogs', logGroupProps(settings, 'operations'))
    const grants = permissions(props.resources, operations, settings)
    const reserved: Readonly<Partial<Record<string, number>>> = reservedConcurrency(settings)
    const common = { ...settings, functionsDir, allowRecursion: false }
    const add = (name: string, own: OwnProps, stack = stacks.forFeature(undefined)) =>
      new ServiceFunction(partIn(stack, this), name, { ...common, name, ...own })
    const ofOperations = operations.map((route) => {
      const own = {
        timeoutSeconds: functionTimeoutSeconds,
        grants: grants[route.id] ?? [],
        reservedConcurrency: reserved[route.id],
        logGroup: this.operationLogs,
        roleName: tokenSignerRoleName(this, route.id),
      }
      const added = add(functionName(route.id), own, stacks.ofRoute(route))
      return [route, added] as const
    })
    const worker = add(workerName, {
      timeoutSeconds: workerTimeoutSeconds,
      grants: grants.workQueue,
      reservedConcurrency: reserved['workQueue'],
      allowRecursion: true,
    })
    this.workerLogs = worker.logGroup
    this.followerLogs = isFollowing(settings)
      ? [new LogGroup(this, 'FollowerLogs', logGroupProps(settings, 'followers'))]
      : []
    const [follower] = this.followerLogs.map((logGroup) =>
      add(followerName, {
        logGroup,
        memoryMegabytes: followerMegabytes,
        timeoutSeconds: followerTimeoutSeconds,
        grants: grants.followChains,
        reservedConcurrency: followerReservation(settings),
      }),
    )
    this.delivererLogs = settings.webhooks
      ? [new LogGroup(this, 'DelivererLogs', logGroupProps(settings, 'webhooks'))]
      : []
    const [deliverer] = this.delivererLogs.map((logGroup) => {
      const own = {
        logGroup,
        memoryMegabytes: delivererMegabytes,
        timeoutSeconds: delivererTimeoutSeconds,
        grants: grants.deliverWebhooks,
        reservedConcurrency: delivererReservation(settings),
        // One message says that events were logged, and others then wake the webhooks.
        allowRecursion: true,
      }
      return add(delivererName, own, stacks.forFeature('webhooks'))
    })
    const ofRoutes = ofOperations.map(([, added]) => added)
    const others = [follower, deliverer].filter((each) => each !== undefined)
    const description = this.describe([worker, ...ofRoutes, ...others])
    const publish = (each: ServiceFunction) => ({
      name: each.name,
      live: each.publish(description),
    })
    this.operations = ofOperations.map(([route, added]) => ({ route, ...publish(added) }))
    this.worker = publish(worker)
    this.follower = follower && publish(follower)
    this.deliverer = deliverer && publish(deliverer)
  }

  /** The function of an operation, which the stack must have. */
  operation(id: OperationId): LiveFunction {
    const found = this.operations.find(({ route }) => route.id === id)
    if (!found) throw new Error(`${id} is not an operation of the stack`)
    return found
  }

  /** The aliases whose traffic an update can move in steps, by the names of what they run (D148). */
  get shifted(): Readonly<Record<string, IAlias>> {
    const operations = this.operations.filter(({ route }) => route.shifted)
    return {
      ...Object.fromEntries(operations.map(({ route, live }) => [route.id, live])),
      workQueue: this.worker.live,
      ...(this.deliverer && { deliverWebhooks: this.deliverer.live }),
    }
  }

  private describe(all: readonly ServiceFunction[]): string {
    const versioned = Object.fromEntries(all.map((each) => [each.node.id, each.versioned]))
    return deploymentDescription(rootStack(this).stackName, versioned)
  }
}
