import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { basename, resolve } from 'node:path'

const root = resolve(import.meta.dirname, '..')
const compiler = resolve(root, 'node_modules/solc/solc.js')

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

/** The hex digits of the code that creates each contract of some files, by the name of the contract. Throws for code with errors. */
function creationCodes(...files: string[]): Record<string, string> {
  const sources = files.map((file) => [basename(file), { content: readFileSync(file, 'utf8') }])
  const input = JSON.stringify({
    language: 'Solidity',
    sources: Object.fromEntries(sources),
    settings: {
      // The chains are not all at the same rules: Paris is before PUSH0.
      evmVersion: 'paris',
      optimizer: { enabled: true },
      // The default ends the code with a digest of its source, comments included.
      metadata: { appendCBOR: false },
      outputSelection: { '*': { '*': ['evm.bytecode.object'] } },
    },
  })
  // In a process of its own: the compiler throws for every rejection that the process leaves unhandled.
  const options = { input, encoding: 'utf8', maxBuffer: 2 ** 26 } as const
  const { stdout } = spawnSync(process.execPath, [compiler, '--standard-json'], options)
  const { errors = [], contracts } = JSON.parse(stdout.slice(stdout.indexOf('{')))
  const serious = (errors as Finding[]).filter(({ severity }) => severity === 'error')
  if (serious.length > 0) throw new Error(serious.map((each) => each.formattedMessage).join('\n'))
  const compiled = Object.values<Record<string, Compiled>>(contracts).flatMap(Object.entries)
  return Object.fromEntries(compiled.map(([name, { evm }]) => [name, evm.bytecode.object]))
}

interface Compiled {
  evm: { bytecode: { object: string } }
}

interface Finding {
  severity: string
  formattedMessage: string
}
