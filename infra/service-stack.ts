import { Duration, type Environment, Stack, Tags } from 'aws-cdk-lib'
import { LogGroup } from 'aws-cdk-lib/aws-logs'
import type { Construct } from 'constructs'
import { isIn, routes } from '../functions/operations.ts'
import { sweepOfWebhooks } from '../lib/contract/background-names.ts'
import type { Route } from '../lib/contract/route.ts'
import { HttpApi } from './api/http-api.ts'
import { BackgroundQueue } from './background/background-queue.ts'
import { ChainFollowers, FunctionSchedule } from './background/function-schedule.ts'
import { WebhookQueues } from './background/webhook-queues.ts'
import { DashboardSite } from './dashboard/dashboard-site.ts'
import { ServiceTable } from './data/service-table.ts'
import { TableBackups } from './data/table-backups.ts'
import { DeploymentChecks } from './deployment/deployment-checks.ts'
import { TrafficShifting } from './deployment/traffic-shifting.ts'
import { UpdateAlarms } from './deployment/update-alarms.ts'
import { Edge } from './edge/edge.ts'
import { Functions } from './functions.ts'
import {
  addOriginSecrets,
  addPlayerDigestKey,
  addSignInSecret,
  addWebhookSecrets,
} from './keys/generated-secrets.ts'
import { IndexerSecret } from './keys/indexer-secret.ts'
import { addPlayerTokenKeys, addUserJwtKeys } from './keys/token-keys.ts'
import { Monitoring } from './monitoring/monitoring.ts'
import { hasPages } from './settings/feature-rules.ts'
import { logGroupProps } from './settings/log-groups.ts'
import type { Settings } from './settings/settings.ts'
import { localStage, resourceNames } from './settings/stages.ts'
import { changeNestedAfter, SubjectStacks } from './subject-stacks.ts'

export interface ServiceStackProps {
  readonly settings: Settings
  /** The folder that holds the bundles of all functions. */
  readonly functionsDir: string
  /** The account and the Region, if the settings name them. */
  readonly env?: Environment
  /** Operations beside those of functions/operations.ts that the settings have. */
  readonly moreOperations?: readonly Route[]
}

/** The stack that is deployed, which holds the data, with a nested stack for each of some subjects (D147). */
export class ServiceStack extends Stack {
  constructor(scope: Construct, props: ServiceStackProps) {
    const { settings, functionsDir, env = {}, moreOperations = [] } = props
    const operations = [...operationsOf(settings), ...moreOperations]
    super(scope, `PlayerNfts-${settings.stage}`, {
      env,
      description: 'Connects games with the NFTs their players hold',
      terminationProtection: settings.keepData,
    })
    const { edge, stage } = settings
    const names = resourceNames(stage, this.stackName)
    const table = new ServiceTable(this, 'Table', { ...settings, name: names.table })
    const playerTokenKeys = addPlayerTokenKeys(this, settings, operations)
    const userJwtKeys = addUserJwtKeys(this, settings)
    const queue = new BackgroundQueue(this, 'WorkQueue', { ...settings, names })
    const indexerSecret = new IndexerSecret(this, 'Indexer', {
      settings,
      name: names.indexerSecret,
    })
    const originSecrets = addOriginSecrets(this, settings)
    const playerDigestKey = addPlayerDigestKey(this, settings)
    const signInSecret = addSignInSecret(this, settings)
    const webhookSecrets = addWebhookSecrets(this, settings)
    const webhookQueues = settings.webhooks && new WebhookQueues(this, 'WebhookQueue', names)
    const logGroup = new LogGroup(this, 'DeploymentLogs', logGroupProps(settings, 'deployment'))
    const deploymentChecks = new DeploymentChecks(this, 'DeploymentChecks', {
      ...{ settings, functionsDir, logGroup, table, playerTokenKeys, userJwtKeys, webhookSecrets },
    })
    // A table with deletion protection remains if a first deploy fails: because of the checks, or because the policy of a
    // key, on which the checks depend, names a role that does not exist.
    table.node.addDependency(deploymentChecks.passed)
    const resources = {
      ...{ table, playerTokenKeys, userJwtKeys, queue, indexerSecret, originSecrets },
      ...{ playerDigestKey, signInSecret, deploymentChecks, webhookQueues, webhookSecrets },
    }
    const stacks = new SubjectStacks(this, settings)
    const functions = new Functions(this, 'Functions', {
      ...{ resources, operations, settings, functionsDir, stacks },
    })
    for (const each of [functions, playerTokenKeys.alias, userJwtKeys?.alias]) {
      each?.node.addDependency(deploymentChecks.passed)
    }
    const { follower, deliverer } = functions
    if (follower) new ChainFollowers(this, 'ChainFollowers', { follower, settings })
    if (webhookQueues && deliverer) {
      webhookQueues.addConsumer(deliverer.live, settings)
      new FunctionSchedule(stacks.forFeature('webhooks'), 'Sweep', {
        ...{ invoked: deliverer, interval: Duration.minutes(5), event: sweepOfWebhooks },
        ...{ description: 'Finds webhooks whose message was lost', ...settings },
      })
    }
    queue.addConsumer(functions.worker.live, settings)
    const api = new HttpApi(this, 'HttpApi', { operations: functions.operations, settings })
    if (settings.trafficShift !== 'none') {
      const alarms = new UpdateAlarms(this, 'UpdateAlarms', { api, functions })
      alarms.node.addDependency(deploymentChecks.passed)
      const shifting = { aliases: functions.shifted, alarms, shift: settings.trafficShift }
      new TrafficShifting(this, 'TrafficShifting', shifting)
    }
    const site = hasPages(settings)
      ? new DashboardSite(this, 'DashboardSite', { settings, functionsDir, logGroup })
      : undefined
    // The pages call the operations of their version.
    site?.uploaded.node.addDependency(api.stage)
    if (edge && originSecrets) {
      const front = { api, operations, secrets: originSecrets, site }
      new Edge(this, 'Edge', { ...front, settings: { ...settings, edge } })
    }
    if (stage !== localStage) {
      const monitored = { api, functions, queue, table, webhookQueues }
      const keyArns = [playerTokenKeys, userJwtKeys].flatMap((keys) => keys?.keyArns ?? [])
      new Monitoring(this, 'Monitoring', { monitored, keyArns, settings })
    }
    changeNestedAfter(this, deploymentChecks.passed)
    if (settings.backup) new TableBackups(this, 'Backups', { table, backup: settings.backup })
    addTags(this, settings)
  }
}

/** Tags everything in a stack and in its nested stacks. */
function addTags(stack: Stack, { tags, stage }: Settings): void {
  for (const [name, value] of Object.entries(tags)) Tags.of(stack).add(name, value)
  Tags.of(stack).add('service', 'player-nfts')
  Tags.of(stack).add('stage', stage)
}

/** The operations of a deployment with these settings. */
const operationsOf = (settings: Settings): readonly Route[] =>
  Object.values<Route>(routes).filter((route) => isIn(route, settings))
