import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import type { Feature } from '../../lib/contract/route.ts'
import { acceptedRequest, callName } from '../support/accepted-requests.ts'
import { rowOf, usualOperationIds } from '../support/operations.ts'
import { type Call, clientOf, type Received } from '../support/requests/client.ts'
import { startGatewayOver } from '../support/services/gateway-over.ts'
import { startOwnService } from '../support/services/own-service.ts'
import { atFileEnd } from '../support/vitest/at-file-end.ts'

const service = await startOwnService({}, atFileEnd)

const recorded = readFileSync(`${import.meta.dirname}/recorded-answers.tsv`, 'utf8')

/** The variables that only a feature sets. */
const variablesOf: Record<Feature, RegExp> = { walletSignIn: /^SIGN_IN_/, webhooks: /^WEBHOOK_/ }

/** The functions of the service as a deployment without some features has them. */
const without = (...absent: Feature[]): Promise<string> =>
  startGatewayOver(
    Object.fromEntries(
      Object.entries(service.stack.functions).map(([name, definition]) => {
        const env = Object.entries(definition.env).filter(
          ([variable]) => !absent.some((feature) => variablesOf[feature].test(variable)),
        )
        return [name, { ...definition, env: Object.fromEntries(env) }]
      }),
    ),
  )

/** What is new in each answer. */
const changing: readonly [RegExp, string][] = [
  [/\b[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}\b/g, 'UUID'],
  [/\b\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'TIME'],
  [/"\d{4}-\d\d-\d\d"/g, '"DATE"'],
  [/\beyJ[\w-]+\.[\w-]+\.[\w-]+/g, 'JWT'],
  [/"(keyId|requestId|eventId|kid|x|y|publicKey)":"[^"]+"/g, '"$1":"TEXT"'],
  [/"(last4|cursor|nextCursor|secret|webhookId)":"[^"]+"/g, '"$1":"TEXT"'],
  [/\bpnk_\w+/g, 'KEY'],
  [/"(userId|balance)":\d+/g, '"$1":0'],
  [/127\.0\.0\.1:\d+/g, 'HOST'],
]

/** An answer as a line of the recording. */
function lineOf(name: string, { status, headers, text }: Received): string {
  const shown = ['content-type', 'cache-control', 'www-authenticate', 'retry-after', 'pragma']
  const kept = shown.flatMap((header) => headers.get(header) ?? [])
  const body = changing.reduce((masked, [form, mark]) => masked.replaceAll(form, mark), text)
  return [name, status, kept.join('; '), body].join('\t')
}

/** What a caller of such a deployment can see of the features, in names that other deployments know. */
async function ofProduct(call: Call): Promise<string[]> {
  const apiKey = await service.newProduct()
  const change = (body: object) => call('PATCH /product', { apiKey, body })
  const sent: [name: string, answer: Promise<Received>][] = [
    ['fields of signing in', change({ name: 'Ember', signIn: true, signInDomains: ['a.example'] })],
    ['only fields of signing in', change({ signIn: 'no', signInDomains: 1 })],
    ['names that resemble them', change({ signin: true, signInDomain: 'a.example' })],
    ['the product', call('GET /product', { apiKey })],
  ]
  const lines: string[] = []
  for (const [name, answer] of sent) lines.push(lineOf(name, await answer))
  return lines
}

/** Each operation of the recording, which is from before D146: accepted, without a credential and with a bad body. */
async function ofOperations(call: Call): Promise<string[]> {
  const lines: string[] = []
  for (const id of usualOperationIds.filter((each) => recorded.includes(`${each}: accepted\t`))) {
    const { body } = rowOf(id)
    const accepted = await acceptedRequest(service, id)
    const { apiKey: _, userJwt: __, playerToken: ___, ...open } = accepted
    lines.push(lineOf(`${id}: accepted`, await call(callName(id), accepted)))
    lines.push(lineOf(`${id}: without credentials`, await call(callName(id), open)))
    if (body) {
      lines.push(lineOf(`${id}: not JSON`, await call(callName(id), { ...accepted, body: '{' })))
      const types = { ...accepted, headers: { 'content-type': 'text/plain' } }
      lines.push(lineOf(`${id}: another type`, await call(callName(id), types)))
    }
  }
  return lines
}

describe.each([
  { absent: ['walletSignIn'] as const },
  { absent: ['walletSignIn', 'webhooks'] as const },
])('D146: a deployment without $absent', async ({ absent }) => {
  const call = clientOf(await without(...absent))

  test('answers byte for byte as before there was one edition', { timeout: 120_000 }, async () => {
    const lines = [...(await ofOperations(call)), ...(await ofProduct(call))]
    expect(`${lines.join('\n')}\n`).toBe(recorded)
  })
})
