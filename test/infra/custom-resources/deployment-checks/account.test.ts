import { describe, expect, test, vi } from 'vitest'
import { noNeeds } from '../../../../infra/custom-resources/deployment-checks/account.ts'
import type {
  AccountNeeds,
  CheckedProperties,
  NeededCertificate,
} from '../../../../infra/custom-resources/deployment-checks/checked-properties.ts'
import { startTestAws } from '../../../support/aws/test-aws.ts'
import { request, stackIn, version } from '../../../support/check-requests.ts'

const { interfere, proxy, resources } = await startTestAws()

const StackId = 'arn:aws:cloudformation:eu-central-1:123456789012:stack/PlayerNfts-prod/0a1b'
const success = { Status: 'SUCCESS', Reason: '' }

/** A version with the key that signs already. */
const versionWith = (more: Partial<CheckedProperties> = {}) =>
  version({ playerTokens: [resources.playerTokenKeyArn] }, more)

const needing = (needs: Partial<AccountNeeds>) => versionWith({ Needs: { ...noNeeds, ...needs } })

const questions = {
  lambda: 'GET /2016-08-19/account-settings',
  certificate: 'DescribeCertificate',
  policies: 'DescribeResourcePolicies',
}

/** Lets AWS answer the questions about the account so, while the stack has this status. */
const answering = (
  answers: { [question in keyof typeof questions]?: object },
  stackStatus = 'UPDATE_IN_PROGRESS',
) =>
  interfere({
    onRequest: (sent) => {
      const [question] =
        Object.entries(questions).find(([, action]) => action === sent.action) ?? []
      const body = answers[question as keyof typeof questions]
      return body
        ? { status: '__type' in body ? 400 : 200, body }
        : stackIn(stackStatus, StackId).onRequest(sent)
    },
  })

const first = (needs: Partial<AccountNeeds>) =>
  request({ StackId, RequestType: 'Create', ResourceProperties: needing(needs) })

const changed = (before: object, after: object, PhysicalResourceId = 'before') =>
  request({
    ...{ StackId, RequestType: 'Update', PhysicalResourceId },
    ...{ OldResourceProperties: before, ResourceProperties: after },
  })

const limits = (ConcurrentExecutions: number, UnreservedConcurrentExecutions: number) => ({
  lambda: { AccountLimit: { ConcurrentExecutions, UnreservedConcurrentExecutions } },
})

describe('D81: reserved concurrency', () => {
  const reserving = (sum: number) => needing({ ReservedConcurrency: `${sum}` })

  test.each([
    [1_000, 1_000, 900],
    [1_000, 300, 200],
    [2_000, 2_000, 1_900],
  ])(
    'is accepted if 100 executions of %i, of which %i are left, stay unreserved',
    async (...numbers) => {
      const [quota, unreserved, sum] = numbers
      answering(limits(quota, unreserved))
      expect(await first({ ReservedConcurrency: `${sum}` })).toMatchObject(success)
      const { Status, Reason } = await first({ ReservedConcurrency: `${sum + 1}` })
      expect(Status).toBe('FAILED')
      expect(Reason).toContain(
        `reserve ${sum + 1} more concurrent executions, and the account can reserve ${sum} in this Region: of its quota of ${quota}, ${unreserved} are not reserved, and Lambda keeps 100 of them. Set "reservedConcurrency": "none", or raise the quota: docs/quotas.md.`,
      )
    },
  )

  test.each([10, 50])('is refused in an account with %i executions', async (quota) => {
    answering(limits(quota, quota))
    const { Reason } = await first({ ReservedConcurrency: '2' })
    expect(Reason).toContain(`can reserve 0 in this Region: of its quota of ${quota}, ${quota} are`)
  })

  test('is judged in an update by what is added', async () => {
    answering(limits(1_000, 150))
    expect(await changed(reserving(850), reserving(900))).toMatchObject(success)
    expect((await changed(reserving(850), reserving(901))).Reason).toContain('reserve 51 more')
  })

  test('is not asked about if none is added', async () => {
    answering(limits(10, 10))
    const before = proxy.count(questions.lambda)
    expect(await changed(reserving(276), reserving(276))).toMatchObject(success)
    expect(await changed(reserving(276), reserving(0))).toMatchObject(success)
    expect(await first({})).toMatchObject(success)
    expect(proxy.count(questions.lambda)).toBe(before)
  })
})

describe('D81: a certificate', () => {
  const ofDomain: NeededCertificate = {
    Setting: 'domain',
    Arn: 'arn:aws:acm:eu-central-1:123456789012:certificate/1',
    Domain: 'nfts.studio.example',
  }
  const certified = (Status: string, ...SubjectAlternativeNames: string[]) => ({
    certificate: { Certificate: { Status, SubjectAlternativeNames } },
  })
  const faultOf = async (answer: object, needed = ofDomain) => {
    answering(answer)
    const { Reason } = await changed(needing({}), needing({ Certificates: [needed] }))
    return Reason.replace(
      `The certificate ${needed.Arn} (domain.certificateArn) cannot be used: `,
      '',
    )
  }

  test.each([
    ['ISSUED', 'nfts.studio.example', ''],
    ['ISSUED', '*.studio.example', ''],
    ['PENDING_VALIDATION', 'nfts.studio.example', 'its status is PENDING_VALIDATION, not ISSUED.'],
    ['EXPIRED', 'nfts.studio.example', 'its status is EXPIRED, not ISSUED.'],
  ])('that is %s for %s: %j', async (status, name, fault) => {
    expect(await faultOf(certified(status, 'studio.example', name))).toBe(fault)
  })

  test.each(['studio.example', '*.example', '*.nfts.studio.example', 'x.studio.example'])(
    'is refused if it is for %s',
    async (name) => {
      const fault = `it is valid for ${name}, and not for nfts.studio.example.`
      expect(await faultOf(certified('ISSUED', name))).toBe(fault)
    },
  )

  test('is refused if it does not exist', async () => {
    const gone = { certificate: { __type: 'ResourceNotFoundException', message: 'no' } }
    expect(await faultOf(gone)).toBe('it does not exist in this account.')
  })

  test('is refused for the API if it is in another Region, without a request', async () => {
    const before = proxy.count(questions.certificate)
    const Arn = ofDomain.Arn.replace('eu-central-1', 'us-east-1')
    const fault = 'it is in us-east-1, and API Gateway needs one in eu-central-1.'
    expect(await faultOf({}, { ...ofDomain, Arn })).toBe(fault)
    expect(proxy.count(questions.certificate)).toBe(before)
  })

  test('of the distribution is accepted from the Region of CloudFront', async () => {
    answering(certified('ISSUED', 'nfts.studio.example'))
    const Arn = ofDomain.Arn.replace('eu-central-1', 'us-east-1')
    const needed = { ...ofDomain, Arn, Setting: 'edge.domain' } as const
    expect(await first({ Certificates: [needed] })).toMatchObject(success)
  })

  test('is not judged again by an update that keeps it, and is for another domain', async () => {
    answering(certified('EXPIRED'))
    const before = needing({ Certificates: [ofDomain] })
    const { PhysicalResourceId } = await changed(needing({}), needing({}))
    expect(await changed(before, before, PhysicalResourceId)).toMatchObject(success)
    const other = needing({ Certificates: [{ ...ofDomain, Domain: 'other.studio.example' }] })
    expect((await changed(before, other)).Reason).toContain('its status is EXPIRED')
  })
})

describe('D81: an access log outside /aws/vendedlogs/', () => {
  const AccessLog = '/games/nfts/http-api'
  const entry = `arn:aws:logs:eu-central-1:123456789012:log-group:${AccessLog}:log-stream:*`
  const policy = (policyDocument: string, policyName = 'AWSLogDeliveryWrite20150319') => ({
    policyName,
    policyDocument,
  })
  const free = 5_120 - `,"${entry}"`.length
  const others = (count: number) =>
    Array.from({ length: count }, (_, each) => policy('{}', `${each}`))

  test.each([
    ['there is no policy yet', []],
    ['the policy has room', [policy('x'.repeat(free))]],
    ['the policy has it already', [policy(`${'x'.repeat(5_000)}"${entry}"`)]],
    ['another policy is full', [...others(8), policy('x'.repeat(5_120), 'other'), policy('{}')]],
  ])('is accepted if %s', async (_, resourcePolicies) => {
    answering({ policies: { resourcePolicies } })
    expect(await first({ AccessLog })).toMatchObject(success)
  })

  test.each([
    [
      'the policy of API Gateway is full',
      [policy('x'.repeat(free + 1))],
      `the resource policy AWSLogDeliveryWrite20150319 has ${free + 1} of 5120 characters`,
    ],
    [
      'the account has as many policies as it can have',
      others(10),
      'the account has 10 resource policies of CloudWatch Logs, and can have 10',
    ],
  ])('is refused if %s', async (_, resourcePolicies, fault) => {
    answering({ policies: { resourcePolicies } })
    const { Status, Reason } = await first({ AccessLog })
    expect(Status).toBe('FAILED')
    expect(Reason).toBe(
      `API Gateway cannot write to the log group ${AccessLog}: ${fault}. Leave logGroupPrefix out, or let it begin with "/aws/vendedlogs/", which needs no further entry.`,
    )
  })

  test('is looked for on every page of the policies', async () => {
    interfere({
      onRequest: ({ action, body: { nextToken } = {} }) =>
        action === questions.policies
          ? nextToken === 'more'
            ? { status: 200, body: { resourcePolicies: [policy('x'.repeat(5_120))] } }
            : { status: 200, body: { resourcePolicies: others(1), nextToken: 'more' } }
          : undefined,
    })
    expect((await first({ AccessLog })).Status).toBe('FAILED')
  })

  test('is judged in an update only if it is another one', async () => {
    answering({ policies: { resourcePolicies: others(10) } })
    const before = needing({ AccessLog })
    const more = needing({ AccessLog, ReservedConcurrency: '0', Certificates: [] })
    expect(await changed(before, more)).toMatchObject(success)
    expect((await changed(needing({ AccessLog: '/a/http-api' }), before)).Status).toBe('FAILED')
  })
})

describe('D81: the needs of a version', () => {
  const reserving = { ReservedConcurrency: '2' }

  test('say the way out if the stack is being made, and only then', async () => {
    answering(limits(10, 10), 'CREATE_IN_PROGRESS')
    const { Reason } = await first(reserving)
    expect(Reason).toContain('There is no table yet, so nothing has to be deleted.')
    expect(Reason).toContain(
      'aws cloudformation update-termination-protection --no-enable-termination-protection --stack-name PlayerNfts-prod. Then deploy again: docs/first-day.md#a-first-deploy-that-fails.',
    )
    answering(limits(10, 10), 'UPDATE_IN_PROGRESS')
    expect((await first(reserving)).Reason).not.toContain('termination-protection')
  })

  test('do not refuse a roll-back of CloudFormation', async () => {
    answering(limits(10, 10), 'UPDATE_ROLLBACK_IN_PROGRESS')
    expect(await changed(needing({}), needing(reserving))).toMatchObject(success)
  })

  test('are judged if nothing else has changed', async () => {
    answering(limits(1_000, 1_000))
    const { PhysicalResourceId } = await changed(needing({}), needing({}))
    answering(limits(10, 10))
    const refused = await changed(needing({}), needing(reserving), PhysicalResourceId)
    expect([refused.Status, refused.PhysicalResourceId]).toEqual(['FAILED', PhysicalResourceId])
  })

  test('are not judged if AWS does not answer, and the log says so', async () => {
    answering({ lambda: { __type: 'ServiceException', message: 'no' } })
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => undefined)
    expect(await first(reserving)).toMatchObject(success)
    expect(warn).toHaveBeenCalledExactlyOnceWith(expect.stringContaining('was left out, because'))
    warn.mockRestore()
  })
})
