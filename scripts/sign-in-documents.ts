// Prints the documents of a deployment in which players sign in with their wallets (D116), and the client for every deployment, as JSON. scripts/generated-files.ts runs it,
// because a process documents one edition of the API.

import { openApiText } from '../openapi/openapi-document.ts'
import { signInReferencePage } from '../openapi/reference/reference-page.ts'
import { clientFile } from './client/client-file.ts'
import { typesFile } from './client/types-file.ts'

process.stdout.write(
  JSON.stringify({
    openapi: openApiText(),
    reference: signInReferencePage(),
    client: clientFile(),
    types: typesFile(),
  }),
)
