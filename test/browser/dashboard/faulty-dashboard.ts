import { type FaultProxyOptions, startFaultProxy } from '../../support/proxies/fault-proxy.ts'
import { type DashboardPageOptions, openDashboard } from './dashboard-page.ts'

type Browser = Parameters<typeof openDashboard>[0]

/** Opens a page of the dashboard behind a proxy with faults. */
export async function openBehind(
  browser: Browser,
  { url, ...options }: DashboardPageOptions,
  faults: Omit<FaultProxyOptions, 'target'>,
) {
  const proxy = await startFaultProxy({ target: url, ...faults })
  // The pictures of the sample world are on the service itself, as on a gateway.
  const mayLoad = `${url}/ipfs/`
  const opened = await openDashboard(browser, { url: proxy.url, mayLoad, ...options })
  return { ...opened, proxy }
}

/** A response of the API with problem details. */
export const problem = (status: number, code: string, detail: string) => ({
  status,
  headers: { 'content-type': 'application/problem+json' },
  body: { success: false, title: detail, status, code, detail, requestId: 'test' },
})

/** A response that asks to repeat the request. */
export const unavailable = problem(503, 'service_unavailable', 'The service is busy.')
