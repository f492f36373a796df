import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { basename, resolve } from 'node:path'

const compiler = resolve(import.meta.dirname, '../../node_modules/solc/solc.js')

/** The hex digits of the code that creates each contract of some files, by the name of the contract. Throws for code with errors. */
export function creationCodes(...files: string[]): Record<string, string> {
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
