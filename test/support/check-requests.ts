import { json } from 'node:stream/consumers'
import { resourceNames } from '@player-nfts/local/aws/provision'
import { expect } from 'vitest'
import { noNeeds } from '../../infra/custom-resources/deployment-checks/account.ts'
import {
  type CheckedProperties,
  stackForm,
} from '../../infra/custom-resources/deployment-checks/checked-properties.ts'
import { handler } from '../../infra/custom-resources/deployment-checks/handler.ts'
import type { ProxiedAnswer, ProxiedRequest } from './proxies/fault-proxy.ts'
import type { Json } from './service-template.ts'
import { serve } from './services/http-server.ts'

/** The ARNs of KMS keys that do not exist. */
export const [one, two, three] = ['1', '2', '3'].map(
  (id) => `arn:aws:kms:us-east-1:1:key/${id}`,
) as [string, string, string]

interface Keys {
  playerTokens?: string[]
  userJwts?: string[]
}

/** The properties of a version of the stack that uses these keys. */
export const version = (
  { playerTokens = [one], userJwts = ['key'] }: Keys = {},
  more: Partial<CheckedProperties> = {},
): CheckedProperties & { ServiceToken: string } => ({
  ServiceToken: 'arn:aws:lambda:us-east-1:1:function:checks',
  Keys: [
    { Purpose: 'player tokens', Alias: resourceNames.playerTokenKeyAlias, Accepted: playerTokens },
    { Purpose: 'user JWTs', Alias: 'alias/none', Accepted: userJwts },
  ],
  DropAllKeys: 'false',
  ImportedKeys: [],
  ...{ RestoredTable: '', LeaveTable: '', IndexerSecret: '' },
  ...{ Form: stackForm, PlayerTokenIssuers: ['login'], PublicKeysOf: [], Needs: noNeeds },
  ...more,
})

/** What CloudFormation answers to DescribeStacks while the stack has this status, as a fault of the test's AWS. */
export const stackIn = (status: string, stackId = 'stack') => ({
  onRequest: ({ body }: ProxiedRequest): ProxiedAnswer | undefined =>
    isDescribeStacks(body, stackId)
      ? { status: 200, headers: { 'content-type': 'text/xml' }, body: described(status) }
      : undefined,
})

/** Whether the text is a request for the status of the stack of these events, and of no other. */
export function isDescribeStacks(body: unknown, stackId = 'stack'): boolean {
  const parameters = new URLSearchParams(`${body}`)
  return parameters.get('Action') === 'DescribeStacks' && parameters.get('StackName') === stackId
}

const described = (status: string) =>
  `<DescribeStacksResponse xmlns="http://cloudformation.amazonaws.com/doc/2010-05-15/"><DescribeStacksResult><Stacks><member><StackName>PlayerNfts-prod</StackName><CreationTime>2026-11-20T10:02:00Z</CreationTime><StackStatus>${status}</StackStatus></member></Stacks></DescribeStacksResult></DescribeStacksResponse>`

/** Sends a request as CloudFormation does, by default for the stack `stack`, and returns the response of the custom resource. */
export async function request({
  StackId = 'stack',
  ...more
}: {
  StackId?: string
  [name: string]: unknown
}): Promise<Json> {
  const answered = Promise.withResolvers<Json>()
  const ResponseURL = await serve((received, response) => {
    const { method, headers } = received
    answered.resolve(
      json(received).then((body) => ({ method, type: headers['content-type'], body })),
    )
    response.end()
  })
  const common = { StackId, RequestId: 'request', LogicalResourceId: 'Checks' }
  await handler({ ...common, ResponseURL, ...more } as never)
  const { method, type, body } = await answered.promise
  expect([method, type]).toEqual(['PUT', ''])
  expect(body).toMatchObject(common)
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
