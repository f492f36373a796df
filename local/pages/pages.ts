import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import type { GatewayResponse } from '../api-gateway/function-response.ts'
import { sampleTable } from '../samples/sample-table.ts'

const require = createRequire(import.meta.url)

/** The files of Swagger UI that the reference loads, by their paths. */
const files: Readonly<Record<string, [name: string, type: string]>> = {
  '/docs/swagger-ui.css': ['swagger-ui.css', 'text/css; charset=utf-8'],
  '/docs/swagger-ui-bundle.js': ['swagger-ui-bundle.js', 'text/javascript; charset=utf-8'],
}

/** The pages load nothing from other hosts. Swagger UI needs inline styles and data: images. */
const securityPolicy =
  "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; frame-ancestors 'none'"

/**
 * Returns a page for people who open the local service in a browser: `/` leads on, and `/docs` is the API
 * reference, which Swagger UI renders from the OpenAPI document. Everything comes from this machine.
 * The first page shows the sample world, unless the stack has none. `/docs/` redirects to `/docs`. Returns
 * `undefined` for other paths.
 */
export function page(path: string, { hasSamples = true } = {}): GatewayResponse | undefined {
  if (path === '/') return response('text/html; charset=utf-8', home(hasSamples))
  if (path === '/docs') return response('text/html; charset=utf-8', reference)
  if (path === '/docs/') return toReference
  if (path === '/docs/start.js') return response('text/javascript; charset=utf-8', startReference)
  const [name, type] = (Object.hasOwn(files, path) && files[path]) || []
  if (!name || !type) return undefined
  const folder = join(require.resolve('swagger-ui-dist/package.json'), '..')
  return response(type, readFileSync(join(folder, name)))
}

const response = (type: string, body: string | Buffer): GatewayResponse => ({
  status: 200,
  headers: {
    'content-type': type,
    'content-security-policy': securityPolicy,
    'x-content-type-options': 'nosniff',
  },
  body: Buffer.from(body),
})

const toReference: GatewayResponse = {
  status: 308,
  headers: { location: '/docs' },
  body: Buffer.alloc(0),
}

const head = (title: string) => `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<link rel="icon" href="data:,">
`

const home = (hasSamples: boolean) => `${head('Player NFTs')}<style>
  body { font: 16px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 3rem auto; padding: 0 1rem }
  pre { overflow-x: auto; background: #f3f4f6; padding: 1rem; font-size: 13px }
</style>
<h1>Player NFTs</h1>
<p>The service runs on this machine. Its API is at <code>/api/public/v1</code>.</p>
<ul>
  <li><a href="/docs">API reference</a>, with a form for each operation</li>
  <li><a href="/api/public/v1/openapi.json">OpenAPI document</a></li>
  <li><a href="/api/public/v1/public-key">Public key</a> and <a href="/.well-known/jwks.json">key set</a></li>
</ul>
<p>The first call of a new game is <a href="/docs#/Product/registerProduct">Register product</a>.</p>
${hasSamples ? sampleWorld() : ''}</html>
`

const sampleWorld = () => `<h2>The sample world</h2>
<p><code>npm start</code> has printed <code>curl</code> commands that read the NFTs of a sample player.</p>
<pre>${sampleTable().join('\n')}</pre>
`

const reference = `${head('API reference · Player NFTs')}<link rel="stylesheet" href="/docs/swagger-ui.css">
<body>
<div id="reference"></div>
<script src="/docs/swagger-ui-bundle.js"></script>
<script src="/docs/start.js"></script>
</body>
</html>
`

/** Without a validator, because the default one is on the internet. */
const startReference = `SwaggerUIBundle({
  url: '/api/public/v1/openapi.json',
  dom_id: '#reference',
  deepLinking: true,
  validatorUrl: null,
})
`
