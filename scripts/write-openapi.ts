import { writeFile } from 'node:fs/promises'
import { openApiText } from '../openapi/openapi-document.ts'

/** `npm run openapi`: writes docs/openapi.json from the route table and its documentation (D33). */
await writeFile(new URL('../docs/openapi.json', import.meta.url), openApiText())
