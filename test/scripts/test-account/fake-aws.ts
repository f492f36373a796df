import { startFaultProxy } from '../../support/proxies/fault-proxy.ts'

/** An account that says what its owner sees before a trial. */
export interface FakeAccount {
  account?: string
  concurrency?: number
  /** The status of a stack, or undefined if there is none. Called for each question. */
  stack?(name: string): string | undefined
  /** The JSON of an operation of a JSON service; by default an empty object. An Error that it throws is that of AWS. */
  answer?(operation: string, body: Record<string, unknown>): object | undefined
}

const missing = (name: string) =>
  `<ErrorResponse><Error><Type>Sender</Type><Code>ValidationError</Code><Message>Stack with id ${name} does not exist</Message></Error></ErrorResponse>`

const described = (name: string, status: string) =>
  `<DescribeStacksResponse><DescribeStacksResult><Stacks><member><StackName>${name}</StackName><CreationTime>2026-11-20T10:02:00Z</CreationTime><StackStatus>${status}</StackStatus></member></Stacks></DescribeStacksResult></DescribeStacksResponse>`

const identity = (account: string) =>
  `<GetCallerIdentityResponse><GetCallerIdentityResult><Arn>arn:aws:iam::${account}:user/owner</Arn><UserId>AIDAOWNER</UserId><Account>${account}</Account></GetCallerIdentityResult></GetCallerIdentityResponse>`

/** Serves the account on one endpoint for all services, and notes the operations that are called. */
export async function serveAws({
  account = '210987654321',
  concurrency = 1_000,
  stack = () => undefined,
  answer = () => undefined,
}: FakeAccount): Promise<{ readonly url: string; readonly operations: string[] }> {
  const operations: string[] = []
  /** The status and the body of the response to an operation, whose input is JSON or a form. */
  const respond = (
    operation: string,
    input: Record<string, unknown>,
  ): [number, string | object] => {
    if (operation === 'GET /2016-08-19/account-settings') {
      return [200, { AccountLimit: { ConcurrentExecutions: concurrency } }]
    }
    if (operation === 'GetCallerIdentity') return [200, identity(account)]
    if (operation === 'DescribeStacks') {
      const name = `${input['StackName']}`
      const status = stack(name)
      return status === undefined ? [400, missing(name)] : [200, described(name, status)]
    }
    if (input['Action']) return [200, `<${operation}Response></${operation}Response>`]
    try {
      return [200, answer(operation, input) ?? {}]
    } catch (error) {
      const { name, message } = error as Error
      return [400, { __type: name, message }]
    }
  }
  const { url } = await startFaultProxy({
    target: 'nowhere',
    onRequest({ action, body }) {
      const input = typeof body === 'string' ? Object.fromEntries(new URLSearchParams(body)) : body
      const operation = input.Action ?? action
      operations.push(operation)
      const [status, output] = respond(operation, input)
      const type = typeof output === 'string' ? 'text/xml' : 'application/x-amz-json-1.1'
      return { status, headers: { 'content-type': type }, body: output }
    },
  })
  return { url, operations }
}
