// `npm run roll-back`: lets the functions of a stack run the versions of an earlier deployment, within seconds (D69).

import { parseArgs } from 'node:util'
import { LambdaClient } from '@aws-sdk/client-lambda'
import { accessElsewhere } from '@player-nfts/local/aws/aws-access'
import { helpIfAsked } from '@player-nfts/local/help'
import { runForOperator } from './operator-table.ts'
import { chosenDeployment, deploymentsOf, planOf } from './roll-back/deployments.ts'
import {
  deleteVersion,
  type LiveFunction,
  moveAlias,
  readLiveFunctions,
} from './roll-back/live-functions.ts'
import { listLines, planLines, untilWhen } from './roll-back/report.ts'

const usage =
  'Usage: npm run --silent roll-back -- --stack NAME [--list | --to DEPLOYMENT | --prune NUMBER] [--dry-run] [--force]'

helpIfAsked([
  usage,
  '',
  'Lets all functions of a stack run the versions of the deployment before the one that is live. Code, settings,',
  'memory and timeouts of the functions go back; the table, keys, permissions, reserved concurrency, throttles and',
  'alarms do not.',
  '',
  '  --stack       the name of the stack, such as PlayerNfts-prod',
  '  --list        only lists the deployments whose versions are still there',
  '  --to          the deployment to run, older or newer, as --list shows it',
  '  --prune       deletes the versions of all but this number of newest deployments, and of those in use',
  '  --dry-run     prints what would change, and fails if the roll-back would be refused',
  '  --force       rolls back in spite of what speaks against it',
  '',
  'Environment variables:',
  '',
  '  AWS_REGION    the Region of the stack; also AWS_DEFAULT_REGION',
  '  AWS_PROFILE   and the other usual variables of AWS, the credentials',
])

const flag = { type: 'boolean', default: false } as const

await runForOperator(async () => {
  const { values } = parseArgs({
    options: {
      stack: { type: 'string' },
      list: flag,
      to: { type: 'string' },
      prune: { type: 'string' },
      'dry-run': flag,
      force: flag,
    },
  })
  const { stack, list, to, prune, force, 'dry-run': isDryRun } = values
  if (!stack || [list, to, prune].filter((each) => each).length > 1) throw new Error(usage)
  const { client, place } = await lambdaFrom(process.env)
  const functions = await readLiveFunctions(client, stack)
  if (functions.length === 0) {
    throw new Error(`${place} has no function with versions of a stack ${stack}.`)
  }
  if (list) return [`${stack} in ${place}`, '', ...listLines(functions)].join('\n')
  console.log(`${stack} in ${place}\n`)
  if (prune !== undefined) return await pruned(client, functions, Number(prune), isDryRun)
  return await rolledBack(client, functions, { to, force, isDryRun })
})

/** A client for the account and the Region of these variables, and where that is, for messages. */
async function lambdaFrom(env: NodeJS.ProcessEnv) {
  const region = env['AWS_REGION'] || env['AWS_DEFAULT_REGION']
  if (!region) throw new Error('Set AWS_REGION to the Region of the stack.')
  const access = await accessElsewhere(env['AWS_ENDPOINT_URL'] || 'aws', region)
  return { client: new LambdaClient({ ...access, maxAttempts: 8 }), place: region }
}

async function rolledBack(
  client: LambdaClient,
  functions: readonly LiveFunction[],
  { to, force, isDryRun }: { to: string | undefined; force: boolean; isDryRun: boolean },
): Promise<string> {
  const target = chosenDeployment(functions, to)
  const plan = planOf(functions, target)
  console.log(planLines(target, plan).join('\n'))
  if (plan.doubts.length > 0 && !force) {
    throw new Error('Nothing was changed. --force rolls back in spite of this.')
  }
  if (isDryRun) return 'Nothing was changed (--dry-run).'
  const started = performance.now()
  const results = await Promise.allSettled(
    plan.moves.map(({ liveFunction, to }) => moveAlias(client, liveFunction.name, to)),
  )
  const failed = results.flatMap((each) => (each.status === 'rejected' ? [each.reason] : []))
  if (failed.length > 0) {
    throw new Error(
      `${failed.length} of ${plan.moves.length} functions were not moved (${failed[0].message}). Repeat the command with --to ${target.id}.`,
    )
  }
  const seconds = Math.ceil((performance.now() - started) / 1000)
  const moved = `${plan.moves.length} moved in ${seconds} s`
  return `All functions run the deployment ${target.id}: ${moved}. ${untilWhen(target, functions)}`
}

async function pruned(
  client: LambdaClient,
  functions: readonly LiveFunction[],
  kept: number,
  isDryRun: boolean,
): Promise<string> {
  if (!(Number.isInteger(kept) && kept >= 1)) {
    throw new Error('--prune must be the number of deployments to keep, at least 1.')
  }
  const keptIds = new Set([
    ...deploymentsOf(functions)
      .slice(0, kept)
      .map(({ id }) => id),
    ...functions.flatMap(({ live, deployed }) => [live.deployment, deployed]),
  ])
  const old = functions.flatMap((liveFunction) =>
    liveFunction.versions
      .filter(({ deployment }) => !keptIds.has(deployment))
      .map((version) => ({ liveFunction, version })),
  )
  const megabytes = old.reduce((sum, { version }) => sum + version.codeBytes, 0) / 1e6
  const count = `${old.length} versions, ${megabytes.toFixed(1)} MB of code`
  if (isDryRun) return `Nothing was deleted (--dry-run): ${count}.`
  await Promise.all(
    old.map(({ liveFunction, version }) => deleteVersion(client, liveFunction.name, version)),
  )
  return `Deleted ${count}.`
}
