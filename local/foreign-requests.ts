import { routes } from '../functions/operations.ts'
import { functionName as nameOf, type Route } from '../lib/contract/route.ts'
import type { GatewayOptions } from './api-gateway/api-gateway.ts'
import { hostNames } from './aws/protocol.ts'

/**
 * Refuses what web pages of strangers can send to a stack that listens on 127.0.0.1 (D128): any request whose Host is not a name of this
 * machine, because a page can let its own name resolve to 127.0.0.1 (DNS rebinding), and with an Origin of elsewhere, the operations of
 * webhooks, which call URLs that the caller chooses.
 */
export const foreignRefusal: NonNullable<GatewayOptions['refusal']> = ({
  headers: { host, origin },
  functionName = '',
}) => {
  // Without the header there is no name: browsers always send it.
  if (host !== undefined && !hostNames.test(host)) {
    return 'The header Host must name this machine, as 127.0.0.1:3000 does. docs/local-aws.md says how a tunnel sends Host: localhost.'
  }
  if (!webhookFunctions.has(functionName) || isOfThisMachine(origin)) return undefined
  return 'Only pages of this machine can use the operations of webhooks, because they make the service call a URL.'
}

const webhookFunctions: ReadonlySet<string> = new Set(
  Object.values<Route>(routes)
    .filter(({ needs }) => needs === 'webhooks')
    .map(({ id }) => nameOf(id)),
)

const isOfThisMachine = (origin: string | undefined): boolean =>
  origin === undefined || (hostNames.test(hostOf(origin)) && !androidHost.test(hostOf(origin)))

const hostOf = (origin: string) => origin.replace(/^[a-z][a-z\d+.-]*:\/\//, '')

/** Android's emulator names this machine so. It serves no page there, and in another network it is somebody's computer. */
const androidHost = /^10\.0\.2\.2(:\d+)?$/
