import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { referenceSecurityHeaders } from '../../dashboard/build/security-headers.ts'
import type { GatewayResponse } from '../api-gateway/function-response.ts'

const require = createRequire(import.meta.url)

/** The files of Swagger UI that the reference loads, by their paths. */
const files: Readonly<Record<string, [name: string, type: string]>> = {
  '/docs/swagger-ui.css': ['swagger-ui.css', 'text/css; charset=utf-8'],
  '/docs/swagger-ui-bundle.js': ['swagger-ui-bundle.js', 'text/javascript; charset=utf-8'],
}

/**
 * Returns the API reference at `/docs`, which Swagger UI renders from the OpenAPI document, and the files that it loads.
 * Everything comes from this machine. `/docs/` redirects to `/docs`. Returns `undefined` for other paths.
 */
export async function referencePage(path: string): Promise<GatewayResponse | undefined> {
  if (path === '/docs') return response('text/html; charset=utf-8', reference)
  if (path === '/docs/') return toReference
  if (path === '/docs/start.js') return response('text/javascript; charset=utf-8', startReference)
  if (path === '/docs/reference.css') return response('text/css; charset=utf-8', styles)
  const [name, type] = (Object.hasOwn(files, path) && files[path]) || []
  if (!name || !type) return undefined
  const folder = join(require.resolve('swagger-ui-dist/package.json'), '..')
  return response(type, await readFile(join(folder, name)))
}

const response = (type: string, body: string | Buffer): GatewayResponse => ({
  status: 200,
  headers: { 'content-type': type, ...referenceSecurityHeaders() },
  body: Buffer.from(body),
})

const toReference: GatewayResponse = {
  status: 308,
  headers: { location: '/docs' },
  body: Buffer.alloc(0),
}

const reference = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>API reference · Player NFTs</title>
<link rel="icon" href="/icon.svg" type="image/svg+xml">
<link rel="stylesheet" href="/docs/swagger-ui.css">
<link rel="stylesheet" href="/docs/reference.css">
<body>
<header class="back"><a href="/">Player NFTs dashboard</a></header>
<div id="reference"></div>
<script src="/docs/swagger-ui-bundle.js"></script>
<script src="/docs/start.js"></script>
</body>
</html>
`

const styles = `body { margin: 0 }
.back { padding: 12px 20px; border-bottom: 1px solid #e3e5e1; font: 15px/1.5 system-ui, sans-serif }
.back a { color: #0f766e }
`

/** Without a validator, because the default one is on the internet. */
const startReference = `SwaggerUIBundle({
  url: '/api/public/v1/openapi.json',
  dom_id: '#reference',
  deepLinking: true,
  validatorUrl: null,
})
`
