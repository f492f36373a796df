import { samples } from '@player-nfts/local/samples'
import { sampleWorld } from '@player-nfts/local/samples/sample-world'
import { afterEach, expect, test } from 'vitest'
import type { OperationId } from '../../functions/operations.ts'
import { functionName } from '../../lib/contract/route.ts'
import { acceptedRequest, callName } from '../support/accepted-requests.ts'
import { alarmValue } from '../support/alarm-value.ts'
import { startTestAws } from '../support/aws/test-aws.ts'
import { prodSettings } from '../support/prod-settings.ts'
import { startFaultProxy } from '../support/proxies/fault-proxy.ts'
import { type Json, serviceTemplate } from '../support/service-template.ts'
import { startGrantedService } from '../support/services/granted-service.ts'
import { startTestIndexer } from '../support/services/own-service.ts'
import { atFileEnd } from '../support/vitest/at-file-end.ts'

// No emulator has CodeDeploy: the metrics are what the functions write, and the alarm is that of the template.

const { url: target } = await startTestIndexer(sampleWorld(), atFileEnd)
let isIndexerDown = false
const onRequest = () => (isIndexerDown ? { status: 500 } : undefined)
const indexer = await startFaultProxy({ target, onRequest }, atFileEnd)
const { chain, address } = samples.serviceToken
const service = await startGrantedService(await startTestAws(), {
  indexerUrl: indexer.url,
  serviceToken: `${chain}:${address}:18`,
})

afterEach(() => {
  isIndexerDown = false
  service.iam.refused.length = 0
})

const alarm = serviceTemplate({ ...prodSettings, trafficShift: 'canary' })
  .all('AWS::CloudWatch::Alarm')
  .map(([, { Properties }]) => Properties)
  .find(({ AlarmName }) => AlarmName.endsWith('-update-server-errors'))
const { Expression } = alarm?.Metrics.find((metric: Json) => metric.Expression) ?? {}

/** The codes of three answers to a request, and whether an update that they belong to is turned back. */
async function outcomeOf(id: OperationId) {
  const sent = await acceptedRequest(service, id)
  const before = service.log.length
  const answers = await Promise.all([1, 2, 3].map(() => service.call(callName(id), sent)))
  const lines = () => service.log.slice(before).map((line) => JSON.parse(line))
  await expect.poll(() => lines().filter(({ operation }) => operation === id)).toHaveLength(3)
  const value = alarmValue(Expression, {
    requests: answers.length,
    answered: lines().reduce((sum, line) => sum + (line.serverErrorAnswers ?? 0), 0),
  })
  return {
    codes: [...new Set(answers.map(({ json }) => json.code))],
    isTurnedBack: value >= alarm?.Threshold,
  }
}

test('D69: an update while the indexer is down is not turned back', async () => {
  isIndexerDown = true
  expect(await outcomeOf('getPlayerDetails')).toEqual({
    codes: ['indexer_unavailable'],
    isTurnedBack: false,
  })
})

test.each<[OperationId, string]>([
  ['getProduct', 'dynamodb:GetItem on Table'],
  ['createPlayerToken', 'kms:Sign on PlayerTokenKeyKey1'],
  ['unbindContract', 'sqs:SendMessage on WorkQueue'],
])('D69: an update whose role of %s lacks %s is turned back', async (id, missing) => {
  const granted = service.granted[functionName(id)]
  const { permissions = [] } = granted ?? {}
  const without = permissions.filter((permission) => permission !== missing)
  expect(without).toHaveLength(permissions.length - 1)
  if (granted) granted.permissions = without
  const outcome = await outcomeOf(id)
  if (granted) granted.permissions = permissions
  expect(outcome).toEqual({ codes: ['service_unavailable'], isTurnedBack: true })
})
