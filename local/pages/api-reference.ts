import { apiReferenceFiles, referencePath } from '../../dashboard/build/api-reference.ts'
import type { DashboardFile } from '../../dashboard/build/dashboard-files.ts'
import { referenceSecurityHeaders } from '../../dashboard/build/security-headers.ts'
import type { GatewayResponse } from '../api-gateway/function-response.ts'

/**
 * Returns the API reference at `/docs` and the files that it loads, all from this machine. `/docs/` redirects to
 * `/docs`. Returns `undefined` for other paths.
 */
export async function referencePage(path: string): Promise<GatewayResponse | undefined> {
  if (path === '/docs/') return toReference
  if (!/^\/docs(\/|$)/.test(path)) return undefined
  const files = await apiReferenceFiles()
  const file = files.get(path === '/docs' ? referencePath : path)
  return file && response(file)
}

const response = ({ body, contentType, cacheControl }: DashboardFile): GatewayResponse => ({
  status: 200,
  headers: {
    'content-type': contentType,
    'cache-control': cacheControl,
    ...referenceSecurityHeaders(),
  },
  body: Buffer.from(body),
})

const toReference: GatewayResponse = {
  status: 308,
  headers: { location: '/docs' },
  body: Buffer.alloc(0),
}
