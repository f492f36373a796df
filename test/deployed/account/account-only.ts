import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import { CloudWatchLogs } from '@aws-sdk/client-cloudwatch-logs'
import { serviceAt } from '../../support/services/service.ts'
import { type Deployment, deployVersion, type Site } from '../deployment.ts'
import type { Tally } from '../tally.ts'
import { statusOf } from './trial-parts.ts'

/** A tenth of it makes more than three failures in a minute, which is what turns an update back. */
const pauseMilliseconds = 200

/** CodeDeploy shifts the traffic of an update, and turns one back whose answers fail (D69). No emulator has it. */
export async function checkShiftedUpdates(site: Site, { target }: Deployment, tally: Tally) {
  const service = serviceAt(target)
  const apiKey = await service.newProduct()
  // An operation whose traffic an update shifts.
  const read = async () => (await service.call('GET /product/tokens', { apiKey })).status
  await tally.check('D69: An update shifts the traffic, and no request fails', async () => {
    const changes = { allowlistChains: ['POLYGON', 'BSC', 'AMOY'] }
    const { end, failures } = await during(deployVersion(site, 'canary', changes), read)
    if (end.status === 'rejected') throw end.reason
    assert.equal(failures, 0)
  })
  await tally.check('D69: An update whose answers fail turns back', async () => {
    // In maintenance, every answer that needs the table is 503 (D44).
    const bad = deployVersion(site, 'bad update', { maintenance: true })
    const { end, failures } = await during(bad, read)
    assert.equal(end.status, 'rejected', 'the update has succeeded')
    assert.equal(await statusOf(site.place, site.stackName), 'UPDATE_ROLLBACK_COMPLETE')
    assert.ok(failures > 0, 'no request has failed, so nothing shows why it turned back')
    // Of an operation that moves at once (D148).
    assert.equal((await service.call('GET /product', { apiKey })).status, 200)
  })
}

/**
 * Reads again and again while a deployment runs. Never rejects: returns how the deployment ended, and the number of
 * answers with a 5xx status and of requests without an answer.
 */
export async function during(deploying: Promise<unknown>, read: () => Promise<number>) {
  const ended = Promise.allSettled([deploying])
  for (let failures = 0; ; ) {
    if ((await read().catch(() => 599)) >= 500) failures += 1
    const [end] = await Promise.race([ended, sleep(pauseMilliseconds, [])])
    if (end) return { end, failures }
  }
}

/** CloudWatch Logs Insights runs each saved query of a stack. */
export async function expectSavedQueries({ place, stackName }: Site): Promise<void> {
  const client = new CloudWatchLogs(place.aws)
  const endTime = Math.floor(Date.now() / 1_000)
  // The hours of a trial.
  const period = { startTime: endTime - 3 * 3_600, endTime }
  // A page has more than a stack saves.
  const page = { queryDefinitionNamePrefix: `${stackName}/`, maxResults: 1_000 }
  const { queryDefinitions = [] } = await client.describeQueryDefinitions(page)
  assert.ok(queryDefinitions.length > 0, 'there are no saved queries')
  for (const { name, queryString, logGroupNames } of queryDefinitions) {
    const query = { ...period, queryString, logGroupNames }
    const { queryId } = await client.startQuery(query).catch((error: Error) => {
      throw new Error(`${name}: ${error.message}`)
    })
    let status: string | undefined
    do {
      await sleep(1_000)
      status = (await client.getQueryResults({ queryId })).status
    } while (status === 'Running' || status === 'Scheduled')
    assert.equal(status, 'Complete', name)
  }
}
