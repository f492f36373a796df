import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { type DashboardFiles, dashboardFile } from './dashboard-files.ts'

const require = createRequire(import.meta.url)

/** The page of the API reference, at the path `/docs`. */
export const referencePath = '/docs/index.html'

/** The files of Swagger UI that the page loads. */
const swaggerUiFiles = ['swagger-ui.css', 'swagger-ui-bundle.js']

/**
 * Returns the files of the API reference by their URL paths: a page in which Swagger UI shows the OpenAPI document of
 * the same origin. Everything that it loads is among the files.
 */
export async function apiReferenceFiles(): Promise<DashboardFiles> {
  const folder = join(require.resolve('swagger-ui-dist/package.json'), '..')
  const contents: [name: string, content: string | Uint8Array][] = [
    ['index.html', reference],
    ['start.js', startReference],
    ['reference.css', styles],
    ...(await Promise.all(
      swaggerUiFiles.map(
        async (name): Promise<[string, Uint8Array]> => [name, await readFile(join(folder, name))],
      ),
    )),
  ]
  return new Map(
    contents.map(([name, content]) => [`/docs/${name}`, dashboardFile(`/docs/${name}`, content)]),
  )
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
