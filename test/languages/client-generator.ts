import { cp } from 'node:fs/promises'
import { join } from 'node:path'
import { newFolder } from '../support/command-fixture.ts'
import { atFileEnd } from '../support/vitest/at-file-end.ts'
import { type Command, succeed } from './command.ts'

/** A language for which openapi-generator makes a client. */
export interface ClientLanguage {
  language: string
  folder: string
  /** The options of the generator, which docs/api.md names. */
  options: readonly string[]
  /** Where the program expects the client. */
  output: string
  needs: readonly string[]
  build: readonly Command[]
  run: Command
}

const generatorVersion = '7.14.0'
const copyPlugin = 'org.apache.maven.plugins:maven-dependency-plugin:3.8.1:copy'
const runPlugin = 'org.codehaus.mojo:exec-maven-plugin:3.5.0:java'
const rustLock = join(import.meta.dirname, '../../examples/game-server/rust/Cargo.lock')

export const clientLanguages: readonly ClientLanguage[] = [
  {
    language: 'Go',
    folder: 'go',
    options: ['-g', 'go', '--git-host=example.com', '--git-user-id=game', '--git-repo-id=nfts'],
    output: '.',
    needs: ['go'],
    build: [['go', 'build', '-o', 'calls.bin', './calls']],
    run: ['./calls.bin'],
  },
  {
    language: 'Python',
    folder: 'python',
    options: ['-g', 'python', '--additional-properties=packageName=nfts'],
    output: 'client',
    needs: ['python3'],
    build: [
      ['python3', '-m', 'venv', '.venv'],
      ['.venv/bin/pip', 'install', '--require-hashes', '-r', 'requirements.txt'],
    ],
    run: ['env', 'PYTHONPATH=client', '.venv/bin/python', 'calls.py'],
  },
  {
    language: 'Java',
    folder: 'java',
    options: ['-g', 'java', '--library=restclient'],
    output: '.',
    needs: ['java'],
    build: [['mvn', '-q', '-B', 'compile']],
    run: ['mvn', '-q', '-B', runPlugin, '-Dexec.mainClass=Calls'],
  },
  {
    language: 'Rust',
    folder: 'rust',
    options: ['-g', 'rust', '--additional-properties=packageName=nfts'],
    output: 'client',
    needs: ['cargo'],
    // The newest versions that the client allows, and those of the game server for what both use.
    build: [
      ['cp', rustLock, '.'],
      ['cargo', 'build'],
    ],
    run: ['cargo', 'run', '--quiet', '--locked'],
  },
]

/** Fetches openapi-generator, which Maven keeps, and returns its file. */
export async function fetchGenerator(): Promise<string> {
  const folder = newFolder(atFileEnd)
  const artifact = `org.openapitools:openapi-generator-cli:${generatorVersion}`
  const options = [`-Dartifact=${artifact}`, `-DoutputDirectory=${folder}`]
  await succeed(['mvn', '-q', '-B', copyPlugin, ...options], folder)
  return join(folder, `openapi-generator-cli-${generatorVersion}.jar`)
}

/** The document with every operation. */
const document = join(import.meta.dirname, '../../docs/openapi.json')

/** A generator of clients in Go, which the file go.mod in the folder of its program pins. */
export const goGenerators = [
  {
    generator: 'oapi-codegen',
    options: ['-generate', 'types,client', '-package', 'nfts', '-o', 'nfts/client.go', document],
  },
  { generator: 'ogen', options: ['-target', 'nfts', '-package', 'nfts', document] },
]

/** Makes the client of a language from the whole document in a folder. */
export async function generateClient(
  generator: string,
  options: readonly string[],
  folder: string,
): Promise<void> {
  const command = ['java', '-jar', generator, 'generate', '-i', document, ...options] as const
  // Its own tests and pages are of no use here.
  const without = 'apiTests=false,modelTests=false,apiDocs=false,modelDocs=false'
  await succeed([...command, '--global-property', without, '-o', '.'], folder)
}

/** Copies a program that uses a client into a new folder. */
export async function copyProgram(folder: string): Promise<string> {
  const copy = newFolder(atFileEnd)
  await cp(join(import.meta.dirname, 'clients', folder), copy, { recursive: true })
  return copy
}
