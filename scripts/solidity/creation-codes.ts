import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { basename, resolve } from 'node:path'

const compiler = resolve(import.meta.dirname, '../../node_modules/solc/solc.js')

/** The hex digits of the code that creates each contract of a file, by the name of the contract. Throws for code with warnings. */
export function creationCodes(file: string): Record<string, string> {
  const name = basename(file)
  const input = JSON.stringify({
    language: 'Solidity',
    sources: { [name]: { content: readFileSync(file, 'utf8') } },
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
  if (errors.length > 0) throw new Error(errors.map(formatted).join('\n'))
  return Object.fromEntries(
    Object.entries<Compiled>(contracts[name]).map(([contract, { evm }]) => [
      contract,
      evm.bytecode.object,
    ]),
  )
}

interface Compiled {
  evm: { bytecode: { object: string } }
}

const formatted = ({ formattedMessage }: { formattedMessage: string }): string => formattedMessage
