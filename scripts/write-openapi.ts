import { writeFile } from 'node:fs/promises'
import { helpIfAsked } from '../local/help.ts'
import { openApiText } from '../openapi/openapi-document.ts'

helpIfAsked(['Usage: npm run openapi', '', 'Writes docs/openapi.json from the route table.'])

/** `npm run openapi`: writes docs/openapi.json from the route table and its documentation (D33). */
await writeFile(new URL('../docs/openapi.json', import.meta.url), openApiText())
