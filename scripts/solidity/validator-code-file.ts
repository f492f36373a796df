import { resolve } from 'node:path'
import { creationCodes } from './creation-codes.ts'

const source = resolve(import.meta.dirname, '../../lib/adapters/accounts/validator.sol')

/** The code that creates the validator of lib/adapters/accounts, as TypeScript. */
export const validatorCodeFile =
  (): string => `// \`npm run generate\` writes this file from validator.sol.

/** The code that creates the validator, in hex digits. The arguments of its constructor follow it. */
export const validatorCode =
  '${creationCodes(source)['Validator']}'
`
