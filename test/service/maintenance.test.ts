import { samples } from '@player-nfts/local/samples'
import { sampleWorld } from '@player-nfts/local/samples/sample-world'
import { expect, test } from 'vitest'
import { sweepOfWebhooks } from '../../lib/contract/background-names.ts'
import { startTestAws } from '../support/aws/test-aws.ts'
import { metricsIn } from '../support/data/metric-documents.ts'
import { webhookSettings } from '../support/prod-settings.ts'
import { lineWhere } from '../support/requests/log-lines.ts'
import { expectProblem } from '../support/requests/problem.ts'
import { startGrantedService } from '../support/services/granted-service.ts'
import { startTestIndexer } from '../support/services/own-service.ts'
import { registration } from '../support/services/service.ts'
import { atFileEnd } from '../support/vitest/at-file-end.ts'

const aws = await startTestAws()

const { url: indexerUrl } = await startTestIndexer(sampleWorld(), atFileEnd)

const running = await startGrantedService(aws, { indexerUrl })

const stopped = await startGrantedService(aws, { indexerUrl, maintenance: true })

test('D44: in maintenance, operations that need the table are 503 and make no request to it', async () => {
  const apiKey = await running.newProduct()
  const userJwt = await running.userJwt(samples.players.threeWallets)
  const { json } = await running.call('GET /player/token', { userJwt })
  const playerToken = json.data.token
  const answers = [
    await stopped.call('POST /product', { body: registration() }),
    await stopped.call('GET /product', { apiKey }),
    await stopped.call('GET /player/token', { userJwt }),
    await stopped.call('GET /player/tokens', { apiKey, playerToken }),
    await stopped.call('GET /player/details', { playerToken }),
  ]
  for (const answer of answers) {
    expectProblem(answer, 'service_unavailable')
    expect(answer.headers.get('retry-after')).toBe('60')
  }
  expect(stopped.iam.calls.filter(({ body }) => body.TableName ?? body.RequestItems)).toEqual([])
})

test('D44: in maintenance, game servers can verify player tokens', async () => {
  for (const operation of ['GET /public-key', 'GET /.well-known/jwks.json', 'GET /openapi.json']) {
    expect((await stopped.call(operation)).status).toBe(200)
  }
})

test('D149: a sweep of the webhooks is counted in its log line', async () => {
  const { deliver, log } = await startGrantedService(aws, webhookSettings)
  await deliver(sweepOfWebhooks)
  const line = await lineWhere(log, ({ kind }) => kind === sweepOfWebhooks.kind)
  expect(metricsIn(line)).toEqual({ webhookSweeps: 1 })
})
