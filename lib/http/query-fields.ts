import type { APIGatewayProxyEventV2 } from 'aws-lambda'
import type * as v from 'valibot'
import { nearMissesOf } from '../contract/near-misses.ts'
import { formExpected } from '../contract/oauth.ts'
import type { Fields } from '../contract/route.ts'
import { type ProductId, parseProductId } from '../domain/product/product.ts'
import { RefusedClient } from '../domain/sign-in/failures.ts'
import { unverified } from '../json/unverified.ts'
import { Problem } from './problem.ts'
import {
  addNearMisses,
  bodyBytes,
  isOptional,
  type ReadFields,
  sentRepeatedly,
} from './read-fields.ts'

interface Parameter {
  name: string
  isOptional: boolean
  isList: boolean
}

/**
 * Returns a function that takes the parameters of a schema from a query. The items of a list are
 * repeated or comma separated, under the name of the list, with or without brackets: `chains=`,
 * `chains[]=`, `chains[0]=`. All forms add to one list, in the order of the query (D13, D20, D34).
 */
export function queryReader(fields: Fields): (query: URLSearchParams) => ReadFields {
  const parameters = Object.entries(fields.entries).map(([name, schema]) => ({
    name,
    isOptional: isOptional(schema),
    isList: isList(schema),
  }))
  const byName = new Map(parameters.map((parameter) => [parameter.name, parameter]))
  const nearMisses = nearMissesOf([...byName.keys()])
  return (query) => {
    const { texts, unknown } = sortTexts(query, byName)
    const read: ReadFields = { input: {}, faults: new Map() }
    for (const parameter of parameters) {
      takeParameter(parameter, texts.get(parameter.name) ?? [], read)
    }
    addNearMisses(read, nearMisses, inQuery, unknown)
    return read
  }
}

const inQuery = { place: 'query', advice: 'is not a parameter of this operation; use' } as const

function sortTexts(query: URLSearchParams, byName: ReadonlyMap<string, Parameter>) {
  const texts = new Map<string, string[]>()
  const unknown: [name: string, text: string][] = []
  for (const [sent, text] of query) {
    const parameter = byName.get(sent) ?? listOf(sent, byName)
    const known = parameter && texts.get(parameter.name)
    if (known) known.push(text)
    else if (parameter) texts.set(parameter.name, [text])
    else unknown.push([sent, text])
  }
  return { texts, unknown }
}

/** The list whose name is before `[]`, or before brackets with a number. */
function listOf(sent: string, byName: ReadonlyMap<string, Parameter>): Parameter | undefined {
  if (!sent.endsWith(']')) return undefined
  const [, name = ''] = /^(\w+)\[\d*\]$/.exec(sent) ?? []
  const parameter = byName.get(name)
  return parameter?.isList ? parameter : undefined
}

function takeParameter(
  { name, isOptional, isList }: Parameter,
  texts: readonly string[],
  { input, faults }: ReadFields,
): void {
  if (isList) {
    const items = texts.flatMap((text) => text.split(','))
    const given = isOptional ? items.filter((item) => item !== '') : items
    if (given.length > 0) input[name] = given
  } else if (texts.length > 1) {
    input[name] = texts
    faults.set(name, sentRepeatedly('query', name, texts.length))
  } else if (texts[0] !== undefined && !(isOptional && texts[0] === '')) {
    input[name] = texts[0]
  }
}

function isList(schema: v.GenericSchema): boolean {
  const { wrapped = schema } = unverified(schema)
  return unverified(wrapped)['type'] === 'array'
}

/**
 * Returns a function that takes the fields of a schema from the form in the body (RFC 6749, section 3.2): a field without a value
 * is absent, and one that was sent twice is a fault. The client can also be in the header Authorization (D141). Throws a Problem for a
 * body that is declared as something else, and RefusedClient.
 */
export function formReader(fields: Fields): (event: APIGatewayProxyEventV2) => ReadFields {
  const names = Object.keys(fields.entries)
  return (event) => {
    const form = formOf(event)
    const read: ReadFields = { input: {}, faults: new Map() }
    for (const name of names) {
      const [value, ...others] = form.getAll(name)
      if (value) read.input[name] = value
      if (others.length > 0) {
        read.faults.set(name, sentRepeatedly('body', name, others.length + 1))
      }
    }
    const client = clientOf(event.headers['authorization'], form.get('client_id') || undefined)
    if (client !== undefined) read.input['client_id'] = client
    return read
  }
}

function formOf(event: APIGatewayProxyEventV2): URLSearchParams {
  const contentType = event.headers['content-type']?.trim()
  if (contentType && !/^application\/x-www-form-urlencoded *(;|$)/i.test(contentType)) {
    throw new Problem('unsupported_media_type', formExpected.detail)
  }
  return new URLSearchParams(bodyBytes(event).toString())
}

/**
 * The client of a form of OAuth: that of the form, or the user of Basic with an empty password (RFC 6749, section 2.3.1). A Basic
 * whose user is no product is that of a proxy, and is ignored. Throws RefusedClient for a Basic with a password, or with another
 * product than the form.
 */
export function clientOf(
  authorization: string | undefined,
  inForm: string | undefined,
): string | undefined {
  const { productId, password } = basicOf(authorization)
  if (!productId) return inForm
  if (password !== '') throw new RefusedClient('client_password')
  if (inForm !== undefined && parseProductId(inForm) !== productId) {
    throw new RefusedClient('another_client')
  }
  return productId
}

function basicOf(authorization = ''): { productId?: ProductId | undefined; password?: string } {
  const [, base64 = ''] = /^Basic +([\w+/-]+=*) *$/i.exec(authorization) ?? []
  const [, user = '', password = ''] =
    /^([^:]*):(.*)$/s.exec(Buffer.from(base64, 'base64').toString()) ?? []
  return { productId: parseProductId(formDecoded(user)), password }
}

/** Clients encode the user as a value of a form, and some of them every character that is no letter or digit. */
const formDecoded = (text: string): string =>
  new URLSearchParams(`user=${text.replaceAll('&', '%26')}`).get('user') ?? ''
