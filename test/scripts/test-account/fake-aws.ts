import { text } from 'node:stream/consumers'
import { serve } from '../../support/services/http-server.ts'

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

/** The answer of a JSON service, or its error. */
function jsonOf(answer: () => object | undefined): [number, string] {
  try {
    return [200, JSON.stringify(answer() ?? {})]
  } catch (error) {
    const { name, message } = error as Error
    return [400, JSON.stringify({ __type: name, message })]
  }
}

/** Serves the account on one endpoint for all services, and notes the operations that it is asked for. */
export async function serveAws({
  account = '210987654321',
  concurrency = 1_000,
  stack = () => undefined,
  answer = () => undefined,
}: FakeAccount): Promise<{ readonly url: string; readonly asked: string[] }> {
  const asked: string[] = []
  const respond = (path: string, target: string | undefined, body: string): [number, string] => {
    const form = new URLSearchParams(body)
    const operation = target ?? form.get('Action') ?? path
    asked.push(operation)
    if (target !== undefined) return jsonOf(() => answer(operation, JSON.parse(body)))
    if (operation === 'GetCallerIdentity') return [200, identity(account)]
    if (operation === 'DescribeStacks') {
      const name = form.get('StackName') ?? ''
      const status = stack(name)
      return status === undefined ? [400, missing(name)] : [200, described(name, status)]
    }
    if (form.has('Action')) return [200, `<${operation}Response></${operation}Response>`]
    if (path.includes('account-settings')) {
      return [200, JSON.stringify({ AccountLimit: { ConcurrentExecutions: concurrency } })]
    }
    return [404, '{}']
  }
  const url = await serve(async (request, response) => {
    const [path = ''] = (request.url ?? '').split('?')
    const target = `${request.headers['x-amz-target'] ?? ''}`.split('.').at(-1) || undefined
    const [status, body] = respond(path, target, await text(request))
    const type = body.startsWith('<') ? 'text/xml' : 'application/x-amz-json-1.1'
    response.writeHead(status, { 'content-type': type }).end(body)
  })
  return { url, asked }
}
