import { request } from 'node:http'
import type { Json, ServiceTemplate } from '../service-template.ts'
import { serve } from '../services/http-server.ts'

/** What CloudFront passes on beside the headers that its policies name. */
const always = ['content-length', 'transfer-encoding', 'connection']

/**
 * Passes requests on to an API at `target` as the distribution of a template does: with the headers alone that the policies of its
 * default behavior name, the address of the viewer, and the secret. Ends with the test, or with `onEnd`.
 */
export async function startEdgeProxy(
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
