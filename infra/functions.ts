import { Stack } from 'aws-cdk-lib'
import type { IAlias, Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda'
import type { ILogGroup } from 'aws-cdk-lib/aws-logs'
import { Construct } from 'constructs'
import { type OperationId, operationIds, routes } from '../functions/operations.ts'
import { followerName, followerNameOf } from '../lib/contract/follower-name.ts'
import { functionName } from '../lib/contract/route.ts'
import type { Chain } from '../lib/domain/nft/chain.ts'
import {
  followerTimeoutSeconds,
  functionTimeoutSeconds,
  workerTimeoutSeconds,
} from '../lib/domain/time-budget.ts'
import { workerName } from './bundle/bundle.ts'
import { tokenSignerRoleName } from './keys/signing-keys.ts'
import { deploymentDescription } from './lambda/deployment-id.ts'
import { ServiceFunction } from './lambda/service-function.ts'
import { permissions, type Resources } from './permissions.ts'
import {
  type FunctionId,
  followerReservation,
  reservedConcurrency,
} from './settings/reserved-concurrency.ts'
import type { Settings } from './settings/settings.ts'

/** A follower runs all the time, so its memory is on the bill. It needs little. */
const followerMegabytes = 256

/** One function for each operation of the route table, the background worker, and a follower of each followed chain. */
export class Functions extends Construct {
  /** For metrics, which cover all versions of a function. */
  readonly byOperation: Readonly<Record<OperationId, LambdaFunction>>
  /** For metrics, which cover all versions of a function. */
  readonly worker: LambdaFunction
  /** The aliases that API Gateway and event sources invoke. All versions of a deployment have the same description. */
  readonly live: Readonly<Record<FunctionId, IAlias>>
  /** The functions that follow chains, with the aliases that schedules invoke. */
  readonly followers: ReadonlyMap<Chain, { function: LambdaFunction; live: IAlias }>
  /** The log groups whose lines name a product. */
  readonly productLogGroups: readonly ILogGroup[]

  constructor(
    scope: Construct,
    id: string,
    props: { resources: Resources; settings: Settings; functionsDir: string },
  ) {
    super(scope, id)
    const { resources, settings, functionsDir } = props
    const grants = permissions(resources, settings)
    const reserved = reservedConcurrency(settings)
    const add = (id: FunctionId, name: string, timeoutSeconds: number) =>
      new ServiceFunction(this, name, {
        ...settings,
        name,
        functionsDir,
        timeoutSeconds,
        grants: grants[id],
        reservedConcurrency: reserved[id],
        allowRecursion: id === 'workQueue',
        ...(id === 'createPlayerToken' && { roleName: tokenSignerRoleName(this) }),
      })
    const all = Object.fromEntries([
      ...operationIds.map((id) => [id, add(id, functionName(id), functionTimeoutSeconds)]),
      ['workQueue', add('workQueue', workerName, workerTimeoutSeconds)],
    ]) as Record<FunctionId, ServiceFunction>
    this.byOperation = mapValues(all, (each) => each.function)
    this.worker = all.workQueue.function
    const followers = [...new Set(settings.followedChains)].map((chain) => {
      const name = followerNameOf(chain)
      const added = new ServiceFunction(this, name, {
        ...settings,
        ...{ name, fileName: followerName, functionsDir },
        memoryMegabytes: followerMegabytes,
        timeoutSeconds: followerTimeoutSeconds,
        grants: grants.followChain,
        reservedConcurrency: followerReservation(settings),
        allowRecursion: false,
      })
      return [chain, added] as const
    })
    const description = deploymentDescription(
      Stack.of(this).stackName,
      mapValues({ ...all, ...Object.fromEntries(followers) }, ({ versioned }) => versioned),
    )
    this.live = mapValues(all, (each) => each.publish(description))
    this.followers = new Map(
      followers.map(([chain, each]) => [
        chain,
        { function: each.function, live: each.publish(description) },
      ]),
    )
    const ofProducts = operationIds.filter((id) => routes[id].auth === 'PRODUCT')
    this.productLogGroups = [...ofProducts.map((id) => this.byOperation[id]), this.worker].map(
      ({ logGroup }) => logGroup,
    )
  }
}

const mapValues = <Key extends string, From, To>(
  record: Readonly<Record<Key, From>>,
  to: (value: From) => To,
) =>
  Object.fromEntries(
    Object.entries<From>(record).map(([key, value]) => [key, to(value)]),
  ) as Record<Key, To>
