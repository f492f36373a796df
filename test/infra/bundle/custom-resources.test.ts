import { createRequire } from 'node:module'
import { join } from 'node:path'
import { json } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { bundleFunctions } from '../../../infra/bundle/bundle.ts'
import { noNeeds } from '../../../infra/custom-resources/deployment-checks/account.ts'
import type { CheckedProperties } from '../../../infra/custom-resources/deployment-checks/checked-properties.ts'
import { newDataDir, startTestAws } from '../../support/aws/test-aws.ts'
import { isDescribeStacks, stackIn } from '../../support/check-requests.ts'
import { serve } from '../../support/services/http-server.ts'

const require = createRequire(import.meta.url)
const customResources = join(import.meta.dirname, '../../../infra/custom-resources')

test('D43, D75, D81: the bundle of the checks can call every operation of AWS that they use', async () => {
  const { resources, interfere, proxy } = await startTestAws()
  const answers: Record<string, object> = {
    'GET /2016-08-19/account-settings': { AccountLimit: { ConcurrentExecutions: 10 } },
    DescribeCertificate: { Certificate: { Status: 'EXPIRED' } },
    DescribeResourcePolicies: { resourcePolicies: [] },
  }
  interfere({
    onRequest: (asked) => {
      const body = answers[asked.action]
      return body ? { status: 200, body } : stackIn('UPDATE_ROLLBACK_IN_PROGRESS').onRequest(asked)
    },
  })
  const [bundle] = await bundleFunctions({
    entryPoints: [join(customResources, 'deployment-checks/handler.ts')],
    outDir: newDataDir(),
    needsWholeSdk: true,
  })
  const { handler } = require(bundle?.file ?? '')
  const answerTo = async (event: object) => {
    const answered = Promise.withResolvers<unknown>()
    const ResponseURL = await serve((received, response) => {
      answered.resolve(json(received))
      response.end()
    })
    const ids = { StackId: 'stack', RequestId: 'request', LogicalResourceId: 'Checks' }
    await handler({ ...ids, ...event, ResponseURL })
    return answered.promise
  }
  const ResourceProperties: CheckedProperties = {
    // One alias exists, and another does not.
    Keys: ['alias/user-jwt', 'alias/none'].map((Alias) => ({
      ...{ Purpose: 'user JWTs', Alias },
      Accepted: [resources.userJwtKeyArn],
    })),
    DropAllKeys: 'false',
    ImportedKeys: [resources.userJwtKeyArn],
    RestoredTable: resources.tableName,
    Needs: noNeeds,
  }
  const success = { Status: 'SUCCESS', Reason: '' }
  expect(await answerTo({ RequestType: 'Create', ResourceProperties })).toMatchObject(success)
  const leaving = {
    ...{ RequestType: 'Update', PhysicalResourceId: 'checked' },
    OldResourceProperties: { ...ResourceProperties, RestoredTable: 'left' },
    ResourceProperties: {
      ...ResourceProperties,
      Needs: {
        ReservedConcurrency: '1',
        Certificates: [
          { Setting: 'edge.domain', Arn: 'arn:aws:acm:us-east-1:1:certificate/1', Domain: 'a.b' },
        ],
        AccessLog: 'http-api',
      },
    },
  }
  expect(await answerTo(leaving)).toMatchObject(success)
  expect(proxy.requests.filter(({ body }) => isDescribeStacks(body))).toHaveLength(1)
  expect(Object.keys(answers).map((action) => proxy.count(action))).toEqual([1, 1, 1])
})
