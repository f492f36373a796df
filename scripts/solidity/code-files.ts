import { resolve } from 'node:path'
import { creationCodes } from './creation-codes.ts'

const root = resolve(import.meta.dirname, '../..')

/** The code that creates the validator of lib/adapters/accounts, as TypeScript. */
export const validatorCodeFile =
  (): string => `// \`npm run generate\` writes this file from validator.sol.

/** The code that creates the validator, in hex digits. The arguments of its constructor follow it. */
export const validatorCode =
  '${creationCodes(resolve(root, 'lib/adapters/accounts/validator.sol'))['Validator']}'
`

/** The codes that create the contracts of test/support/smart-accounts, as TypeScript. */
export function contractCodesFile(): string {
  const files = ['accounts.sol', 'junk.sol']
  const codes = creationCodes(
    ...files.map((file) => resolve(root, 'test/support/smart-accounts', file)),
  )
  // A contract that others extend has no code.
  const whole = Object.entries(codes).filter(([, code]) => code !== '')
  const lines = whole.map(([name, code]) => `  ${name}: '${code}',\n`)
  return `// \`npm run generate\` writes this file from ${files.join(' and ')}.

/** The code that creates each contract, in hex digits. */
export const contractCodes = {
${lines.join('')}}
`
}
