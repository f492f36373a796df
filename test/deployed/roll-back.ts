import assert from 'node:assert/strict'
import { join } from 'node:path'
import { nodeEnvironment, type Place } from '../../scripts/deploy-local/place.ts'
import { runCommand } from '../../scripts/deploy-local/run-command.ts'
import type { Service } from '../support/services/service.ts'
import type { Deployment } from './deployment.ts'
import { type Belongings, expectKept } from './survival.ts'
import type { Tally } from './tally.ts'

const script = join(import.meta.dirname, '../../scripts/roll-back.ts')

/** A deployment after an update whose answers fail. */
interface BadUpdate {
  place: Place
  deployment: Deployment
  belongings: Belongings
  bad: Service
  /** Deploys a mend that CloudFormation turns back. */
  failingMend(): Promise<unknown>
}

/**
 * `npm run roll-back` takes a deployment back whose answers fail, and lets it run again. Emulators have no CodeDeploy,
 * so an update that turns back by its alarms is asserted on the template only (test/infra/deployment/traffic-shifting.test.ts).
 */
export async function checkRollBack(
  { place, deployment, belongings, bad, failingMend }: BadUpdate,
  tally: Tally,
): Promise<void> {
  const rollBack = (...args: string[]) =>
    runCommand({
      name: 'npm run roll-back',
      file: process.execPath,
      args: [script, '--stack', deployment.stackName, ...args],
      env: nodeEnvironment(place),
      seconds: 120,
    })
  const listed = async () => (await rollBack('--list')).match(/^[0-9a-f]{12}/gm) ?? []
  const isServing = async () =>
    (await bad.call('GET /product', { apiKey: belongings.apiKey })).status === 200
  const [badId = '', ...earlier] = await listed()

  await tally.check('D69: a dry run shows what a roll-back would change', async () => {
    const shown = await rollBack('--dry-run')
    assert.match(shown, /get-product +version \d+ -> \d+/)
    assert.match(shown, /Variables that change: MAINTENANCE$/m)
    assert.equal(await isServing(), false)
  })
  await tally.check('D69: a roll-back replaces a deployment whose answers fail', async () => {
    assert.match(await rollBack(), /All functions run the deployment [0-9a-f]{12}/)
    assert.match(await rollBack('--list'), new RegExp(`${badId} .* rolled back$`, 'm'))
    await expectKept(bad, belongings)
  })
  await tally.check(
    'D69: a mend that fails brings the bad deployment back, until --to',
    async () => {
      await assert.rejects(failingMend)
      assert.equal(await isServing(), false)
      await rollBack('--to', `${earlier[0]}`)
      assert.equal(await isServing(), true)
    },
  )
  await tally.check('D69: old versions can be deleted, and those in use stay', async () => {
    assert.ok(earlier.length > 1)
    assert.match(await rollBack('--prune', '1'), /Deleted \d+ versions/)
    assert.deepEqual(await listed(), [badId, earlier[0]])
    assert.equal(await isServing(), true)
  })
  await tally.check('D69: a roll-back is undone by the name of the deployment', async () => {
    await rollBack('--to', badId)
    assert.equal(await isServing(), false)
  })
}
