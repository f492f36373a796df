import { alarmsPage } from '../infra/monitoring/alarms-page.ts'
import { openApiText } from '../openapi/openapi-document.ts'
import { problemSentences, problemTable } from '../openapi/problems/problem-tables.ts'
import { referencePage } from '../openapi/reference/reference-page.ts'
import { chainsPage } from './chains-page.ts'
import { clientCall } from './client/client-call.ts'
import { clientFile } from './client/client-file.ts'
import { typesFile } from './client/types-file.ts'
import { requestsPage } from './requests-page.ts'
import { settingsPage } from './settings-page.ts'
import { contractCodesFile, validatorCodeFile } from './solidity-codes.ts'

/** The generated files by their paths in the repository, each with the function that returns its whole text. */
export const generatedFiles: Readonly<Record<string, () => string>> = {
  'clients/typescript/src/client.ts': clientFile,
  'clients/typescript/src/types.ts': typesFile,
  'dashboard/connect/problem-sentences.ts': () => problemSentences('connect'),
  'dashboard/shell/problem-sentences.ts': () => problemSentences('dashboard'),
  'docs/alarms.md': alarmsPage,
  'docs/chains.md': chainsPage,
  'docs/openapi.json': openApiText,
  'docs/reference.md': () => referencePage(clientCall),
  'docs/requests.md': requestsPage,
  'docs/settings.md': settingsPage,
  'lib/adapters/accounts/validator-code.ts': validatorCodeFile,
  'lib/domain/problems.ts': problemTable,
  'test/support/smart-accounts/contract-codes.ts': contractCodesFile,
}
