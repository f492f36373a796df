import { atFileEnd } from '../vitest/at-file-end.ts'
import { type Fault, type ProxiedRequest, startFaultProxy } from './fault-proxy.ts'

/** An AWS call that the proxy has received. */
interface AwsCall {
  /** The access key id of its signature. */
  caller: string
  /** The permissions of its caller that allow it. */
  permissions: string[]
  // biome-ignore lint/suspicious/noExplicitAny: tests look into any JSON
  body: any
}

/** What a call does with one resource. */
interface Access {
  /** Such as `dynamodb:GetItem on Table`. */
  permission: string
  /** The partition keys of the items of a table. */
  leadingKeys: readonly string[]
}

/**
 * A proxy on 127.0.0.1 that denies, like IAM, every call that its caller has no permission for. `target`: the URL of an AWS that
 * allows every call; `allowing`: the permissions of the caller that allow an access, none if it is denied; `nameOf`: the name of a
 * resource in permissions, by its name, URL or ARN in a call. Ends with the test file.
 */
export async function startIamProxy(
  target: string,
  allowing: (caller: string, access: Access) => string[],
  nameOf: (address: string) => string,
) {
  /** The calls that it has passed on, in the order of arrival. */
  const calls: AwsCall[] = []
  /** The denied accesses with their callers: `get-product: dynamodb:PutItem on Table for PLAYER#1`. */
  const refused: string[] = []
  const onRequest = (request: ProxiedRequest): Fault | undefined => {
    const { caller, body } = request
    const accesses = accessesOf(request, nameOf)
    const permissions = accesses.map((access) => allowing(caller, access))
    const denied = accesses.filter((_, index) => permissions[index]?.length === 0)
    refused.push(...denied.map((access) => `${caller}: ${textOf(access)}`))
    if (denied.length > 0) return refusal
    calls.push({ caller, permissions: permissions.flat(), body })
    return undefined
  }
  const { url } = await startFaultProxy({ target, onRequest }, atFileEnd)
  return { url, calls, refused }
}

function accessesOf(
  { service, action, body }: ProxiedRequest,
  nameOf: (address: string) => string,
): Access[] {
  const { TableName, QueueUrl, KeyId, SecretId, RequestItems } = body
  const addresses: [string, unknown][] = RequestItems
    ? Object.entries(RequestItems)
    : [[TableName ?? QueueUrl ?? KeyId ?? SecretId ?? 'nothing', body]]
  return addresses.map(([address, items]) => ({
    permission: `${service.toLowerCase()}:${action} on ${nameOf(address)}`,
    leadingKeys: leadingKeysIn(items),
  }))
}

/** The partition keys of the items that a request names. A query names none. */
// biome-ignore lint/suspicious/noExplicitAny: requests are any JSON
function leadingKeysIn(part: any): string[] {
  if (Array.isArray(part)) return part.flatMap(leadingKeysIn)
  const { Key, Item, Keys, PutRequest, DeleteRequest, pk } = part ?? {}
  if (pk) return [pk.S]
  return [Key, Item, Keys, PutRequest, DeleteRequest].flatMap((each) =>
    each ? leadingKeysIn(each) : [],
  )
}

const textOf = ({ permission, leadingKeys }: Access) =>
  leadingKeys.length > 0 ? `${permission} for ${leadingKeys.join(', ')}` : permission

/** https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Programming.Errors.html */
const refusal: Fault = {
  status: 400,
  headers: { 'content-type': 'application/x-amz-json-1.0' },
  body: {
    __type: 'com.amazon.coral.service#AccessDeniedException',
    Message: 'User is not authorized: no identity-based policy allows the action',
  },
}
