import { request } from 'node:http'
import { afterAll, describe, expect, test } from 'vitest'
import { signInSettings } from '../support/prod-settings.ts'
import { clientOf } from '../support/requests/client.ts'
import { type Json, type ServiceTemplate, serviceTemplate } from '../support/service-template.ts'
import { serve } from '../support/services/http-server.ts'
import { startOwnService } from '../support/services/own-service.ts'
import { newAccount } from '../support/sign-in/account.ts'
import { gameDomain, signInCalls } from '../support/sign-in/sign-in-calls.ts'

/** What CloudFront passes on beside the headers that its policies name. */
const always = ['content-length', 'transfer-encoding', 'connection']

/**
 * Passes requests on to an API at `target` as the distribution of a template does: with the headers alone that the policies of its
 * default behavior name, the address of the viewer, and the secret. Ends with the test, or with `onEnd`.
 */
async function startEdgeProxy(
  { only, resources }: ServiceTemplate,
  { target, secret, onEnd }: { target: string; secret: string; onEnd?: (end: () => void) => void },
): Promise<string> {
  const { DefaultCacheBehavior, Origins } = only('AWS::CloudFront::Distribution').Properties
    .DistributionConfig as Json
  const policyOf = ({ Ref }: Json): Json => Object.values(resources[Ref]?.Properties ?? {})[0]
  const { HeadersConfig: sent } = policyOf(DefaultCacheBehavior.OriginRequestPolicyId)
  const { HeadersConfig: cached } = policyOf(DefaultCacheBehavior.CachePolicyId)
    .ParametersInCacheKeyAndForwardedToOrigin as Json
  const named = [...sent.Headers, ...cached.Headers].map((name: string) => name.toLowerCase())
  const [{ HeaderName: secretHeader }] = Origins.flatMap(
    (origin: Json) => origin.OriginCustomHeaders ?? [],
  )
  return await serve((incoming, response) => {
    const { headers, method, url = '', socket } = incoming
    const passed = Object.entries(headers).filter(([name]) => [...named, ...always].includes(name))
    const added = {
      [secretHeader]: secret,
      'CloudFront-Viewer-Address': `${socket.remoteAddress}:${socket.remotePort}`,
    }
    const options = { method, headers: { ...Object.fromEntries(passed), ...added } }
    const onward = request(new URL(url, target), options, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers)
      answer.pipe(response)
    })
    incoming.pipe(onward.on('error', () => response.destroy()))
  }, onEnd)
}

const secret = 'the secret of the distribution'

const service = await startOwnService({ EDGE_SECRETS: secret }, afterAll)

const { enter, newGame } = signInCalls(service)

const target = service.url

const edge = await startEdgeProxy(serviceTemplate(signInSettings), {
  target,
  secret,
  onEnd: afterAll,
})

const [{ productId }, { session }] = [await newGame(), await enter(newAccount())]

describe.each([
  ['through the distribution', clientOf(edge)],
  ['at the address of API Gateway', service.call],
])('D131: %s, a code', (_, call) => {
  const askedWith = async (headers: Record<string, string>) => {
    const sent = { headers, form: { client_id: productId } }
    const codes = await call('POST /device/authorization', sent)
    const path = { userCode: codes.json.user_code as string }
    const { json } = await call('GET /device/{userCode}', { path, session })
    return { codes, isSameNetwork: json.data.isSameNetwork }
  }

  test.each([
    ['a program', {}],
    ['a page of the game', { origin: `https://${gameDomain}` }],
    ['a page of the same origin', { 'sec-fetch-site': 'same-origin' }],
  ])('that %s has asked for is one of the network of the player', async (_name, headers) => {
    expect((await askedWith(headers)).isSameNetwork).toBe(true)
  })

  test.each([
    ['another page', { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' }],
    ['a page without an origin', { origin: 'null' }],
    ['another site', { 'sec-fetch-site': 'cross-site' }],
  ])('that %s has asked for is not', async (_name, headers) => {
    expect((await askedWith(headers)).isSameNetwork).toBe(false)
  })

  test('is readable for every page', async () => {
    const { codes } = await askedWith({ origin: 'https://evil.example' })
    expect([codes.status, codes.headers.get('access-control-allow-origin')]).toEqual([200, '*'])
  })
})
