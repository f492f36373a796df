import * as v from 'valibot'

/** The properties of a call beside its input. */
export interface Call {
  /** The region of the SigV4 credential scope; `us-east-1` for an unsigned call. */
  region: string
  /** The endpoint as the caller addressed it, such as `http://127.0.0.1:4566`. */
  origin: string
  /** Aborted when no client waits for the response any more. */
  signal: AbortSignal
}

/** An operation of a service, from parsed JSON to the response's JSON. Throws an {@link AwsError}. */
export type Action = (input: unknown, call: Call) => unknown

/** A service that speaks AWS JSON. */
export interface Service {
  /** The part of `X-Amz-Target` before the action. */
  prefix: string
  contentType: 'application/x-amz-json-1.0' | 'application/x-amz-json-1.1'
  actions: Readonly<Record<string, Action>>
}

/** An answer on its way to the wire. */
export interface AwsResponse {
  status: number
  headers: Record<string, string>
  body: unknown
}

/** An error with the name that AWS gives it. */
export class AwsError extends Error {
  /** The error's shape, such as `NotFoundException`. */
  readonly type: string
  readonly status: number
  readonly headers: Record<string, string>
  constructor(type: string, message: string, rest?: Partial<Omit<AwsResponse, 'body'>>) {
    super(message)
    this.type = type
    this.status = rest?.status ?? 400
    this.headers = rest?.headers ?? {}
  }
}

/** The account that every ARN names. */
export const accountId = '000000000000'

/** An action whose input must match `schema`; other input fails with a ValidationException. */
export function action<S extends v.GenericSchema>(
  schema: S,
  run: (input: v.InferOutput<S>, call: Call) => unknown,
): Action {
  return (input, call) => {
    const parsed = v.safeParse(schema, input)
    if (parsed.success) return run(parsed.output, call)
    const [issue] = parsed.issues
    const where = v.getDotPath(issue) ?? 'input'
    throw new AwsError('ValidationException', `Invalid ${where}: ${issue.message}`)
  }
}

/** Bytes, which AWS JSON writes as base64. */
export const blob = v.pipe(
  v.string(),
  v.base64('expected base64'),
  v.transform((text): Uint8Array => Buffer.from(text, 'base64')),
)

/** The JSON object in a request's body. */
export function parseInput(body: Buffer): object {
  let input: unknown
  try {
    input = JSON.parse(body.toString('utf8') || '{}')
  } catch {
    throw new AwsError('SerializationException', 'The request body is not JSON')
  }
  if (typeof input === 'object' && input !== null && !Array.isArray(input)) return input
  throw new AwsError('SerializationException', 'The request body is not a JSON object')
}

/**
 * Runs the action that the header `X-Amz-Target` names, and returns its response or error. `log` receives
 * the reason of an InternalFailure.
 */
export async function dispatch(
  services: readonly Service[],
  target: string,
  body: Buffer,
  call: Call,
  log?: (line: string) => void,
): Promise<AwsResponse> {
  const [prefix = '', name = ''] = target.split('.')
  const service = services.find((service) => service.prefix === prefix)
  const contentType = service?.contentType ?? 'application/x-amz-json-1.0'
  const framed = (answer: AwsResponse): AwsResponse => ({
    ...answer,
    headers: { 'Content-Type': contentType, ...answer.headers },
  })
  try {
    const run = service && Object.hasOwn(service.actions, name) && service.actions[name]
    if (!run) throw unknownOperation(target)
    return framed({ status: 200, headers: {}, body: (await run(parseInput(body), call)) ?? {} })
  } catch (error) {
    if (!(error instanceof AwsError)) log?.(`${name} failed: ${(error as Error).message}`)
    return framed(errorResponse(error))
  }
}

/** The response for an error; an error other than an {@link AwsError} is an InternalFailure. */
export function errorResponse(error: unknown): AwsResponse {
  const { type, status, headers, message } =
    error instanceof AwsError
      ? error
      : new AwsError('InternalFailure', String(error), { status: 500 })
  return { status, headers, body: { __type: type, message } }
}

function unknownOperation(target: string): AwsError {
  const subject = target ? `The operation ${target}` : 'A request without X-Amz-Target'
  return new AwsError('UnknownOperationException', `${subject} is not known to this endpoint`)
}

/** The names of this machine: loopback, and those under which containers of Docker Desktop and Android's emulator reach it. */
export const hostNames =
  /^(localhost|127(\.\d{1,3}){3}|\[::1\]|host\.docker\.internal|10\.0\.2\.2)(:\d+)?$/i

/**
 * Throws an AwsError unless the header Host names this machine. A web page can make its own host name resolve to
 * 127.0.0.1 (DNS rebinding), and could then read every secret of the endpoint (D53).
 */
export function checkHost(host: string | undefined): void {
  if (host !== undefined && hostNames.test(host)) return
  throw new AwsError(
    'AccessDeniedException',
    'The header Host must be localhost or a loopback address, such as 127.0.0.1:4566',
    { status: 403, headers: { Connection: 'close' } },
  )
}
