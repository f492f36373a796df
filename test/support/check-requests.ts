import { json } from 'node:stream/consumers'
import { expect } from 'vitest'
import { type CheckedProperties, handler } from '../../infra/checks/deployment-checks.ts'
import type { Json } from './service-template.ts'
import { serve } from './services/http-server.ts'

/** Sends a request as CloudFormation does, and returns the response of the custom resource. */
export async function request(more: object): Promise<Json> {
  const answered = Promise.withResolvers<Json>()
  const ResponseURL = await serve((received, response) => {
    const { method, headers } = received
    answered.resolve(
      json(received).then((body) => ({ method, type: headers['content-type'], body })),
    )
    response.end()
  })
  const common = {
    StackId: 'stack',
    RequestId: 'request',
    LogicalResourceId: 'Checks',
    ResponseURL,
  }
  await handler({ ...common, ...more } as never)
  const { method, type, body } = await answered.promise
  expect([method, type]).toEqual(['PUT', ''])
  expect(body).toMatchObject({
    StackId: 'stack',
    RequestId: 'request',
    LogicalResourceId: 'Checks',
  })
  return body
}

/** Sends the request for a new stack. */
export const create = (wanted: CheckedProperties) =>
  request({ RequestType: 'Create', ResourceProperties: wanted })

/** Sends the request for a changed stack. */
export const update = (
  before: CheckedProperties,
  after: CheckedProperties,
  PhysicalResourceId = 'before',
) =>
  request({
    RequestType: 'Update',
    PhysicalResourceId,
    OldResourceProperties: before,
    ResourceProperties: after,
  })
