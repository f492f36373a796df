import assert from 'node:assert/strict'
import type { TrafficShift } from '../../infra/traffic-shift.ts'
import { faultOf, smokeCalls } from '../../scripts/smoke-calls.ts'
import { registration } from '../support/services/service.ts'
import type { Cdk, Version } from './cdk.ts'
import { completeDeployment, type Environment, runScript, settings } from './deployment.ts'
import type { Tally } from './tally.ts'
import { lintTemplates } from './templates.ts'
import { unsupportedTypes } from './unsupported.ts'

export const prodStackName = 'PlayerNfts-prod'

/**
 * Checks the templates of the stage `prod` with each way to shift traffic, and deploys it with its other defaults,
 * without what the emulator does not have.
 */
export async function checkProduction(
  environment: Environment,
  cdk: Cdk,
  tally: Tally,
): Promise<void> {
  const { python, ministack } = environment
  const { none, linear, canary: version } = await synthProduction(environment, cdk)
  await tally.check('cfn-lint has no findings in prod, canary and linear', () => {
    const files = [none, version, linear].map(({ fullTemplateFile }) => fullTemplateFile)
    return lintTemplates(python, ...files)
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

async function synthProduction({ indexerUrl, login }: Environment, cdk: Cdk) {
  const { issuer, userJwtAudience, serviceToken } = settings
  const synth = (trafficShift: TrafficShift) =>
    cdk.synth(`prod-${trafficShift}`, {
      ...{ stage: 'prod', issuer, userJwtAudience, serviceToken, indexerUrl, trafficShift },
      playerTokenAudience: 'player-nfts-deployed-games',
      loginRoleArn: login.arn,
      registrationOpen: false,
      alarmEmail: 'operations@studio.example',
    })
  return {
    none: await synth('none'),
    linear: await synth('linear'),
    canary: await synth('canary'),
  } satisfies Record<TrafficShift, Version>
}
