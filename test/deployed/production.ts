import assert from 'node:assert/strict'
import { faultOf, smokeCalls } from '../../scripts/smoke-calls.ts'
import { registration } from '../support/services/service.ts'
import type { Cdk } from './cdk.ts'
import { completeDeployment, type Environment, runScript, settings } from './deployment.ts'
import type { Tally } from './tally.ts'
import { unsupportedTypes } from './unsupported.ts'

export const prodStackName = 'PlayerNfts-prod'

/** Deploys the stage `prod` with its defaults, without what the emulator does not have. */
export async function checkProduction(
  { python, ministack, indexerUrl, login }: Environment,
  cdk: Cdk,
  tally: Tally,
): Promise<void> {
  const { issuer, userJwtAudience, serviceToken } = settings
  const version = await cdk.synth('prod', {
    stage: 'prod',
    ...{ issuer, userJwtAudience, serviceToken, indexerUrl },
    playerTokenAudience: 'player-nfts-deployed-games',
    loginRoleArn: login.arn,
    registrationOpen: false,
    alarmEmail: 'operations@studio.example',
    trafficShift: 'canary',
  })
  await tally.check('The emulator refuses each type that is taken out, and no other', async () => {
    const taken = Object.keys(unsupportedTypes)
    const args = [version.fullTemplateFile, ...taken] as const
    const refused = await runScript(python, ministack, 'refused-types.py', ...args)
    assert.deepEqual(refused.split('\n'), taken.toSorted())
  })
  const { ApiUrl: url } = await cdk.deploy(version)
  await completeDeployment(python, ministack, version, prodStackName)
  console.log('Deployed: the stage prod')
  console.log(
    'Not seen to run, because no emulator has CodeDeploy: an update that turns back by its alarms. test/infra/traffic-shifting.test.ts checks the template.',
  )
  await tally.check('The smoke test passes with production settings', async () => {
    for (const call of smokeCalls(undefined)) assert.equal(await faultOf(url, call), undefined)
  })
  await tally.check('A caller without IAM credentials cannot register in production', async () => {
    const body = JSON.stringify(registration())
    const response = await fetch(`${url}/api/public/v1/product`, { method: 'POST', body })
    assert.equal(response.status, 403)
  })
  await tally.check('A production stack is protected against its removal', () =>
    assert.rejects(cdk.destroy(version), /[Tt]ermination ?[Pp]rotection/),
  )
}
