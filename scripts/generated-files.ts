import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { alarmsPage } from '../infra/monitoring/alarms-page.ts'
import { openApiText } from '../openapi/openapi-document.ts'
import { referencePage } from '../openapi/reference/reference-page.ts'
import { requestsPage } from './requests-page.ts'
import { settingsPage } from './settings-page.ts'

/** The documents of a deployment in which players sign in with their wallets (D116), made in a process of its own. */
function signInDocument(name: 'openapi' | 'reference' | 'client' | 'types'): string {
  signInDocuments ??= execFileSync(
    process.execPath,
    [join(import.meta.dirname, 'sign-in-documents.ts')],
    {
      env: { ...process.env, API_EDITION: 'sign-in' },
      encoding: 'utf8',
      maxBuffer: 2 ** 25,
    },
  )
  return JSON.parse(signInDocuments)[name]
}

let signInDocuments: string | undefined

/** The generated files by their paths in the repository, each with the function that returns its whole text. */
export const generatedFiles: Readonly<Record<string, () => string>> = {
  'clients/typescript/src/client.ts': () => signInDocument('client'),
  'clients/typescript/src/types.ts': () => signInDocument('types'),
  'docs/alarms.md': alarmsPage,
  'docs/openapi.json': openApiText,
  'docs/openapi-sign-in.json': () => signInDocument('openapi'),
  'docs/reference.md': referencePage,
  'docs/requests.md': requestsPage,
  'docs/settings.md': settingsPage,
  'docs/sign-in-reference.md': () => signInDocument('reference'),
}
