import { existsSync, globSync, readFileSync } from 'node:fs'
import { basename, dirname } from 'node:path'
import { describe, expect, test } from 'vitest'
import { operationIds, routes } from '../../functions/operations.ts'
import { functionNames } from '../../infra/bundle/bundle.ts'
import type { Route } from '../../lib/contract/route.ts'
import { functionName } from '../../lib/contract/route.ts'
import { documentationOf } from '../../openapi/operations.ts'

// The steps of "Add an operation" in CONTRIBUTING.md that no type check holds. A failing test prints
// one sentence for each step that is missing.

const operations = operationIds.map((id) => {
  const route: Route = routes[id]
  const { summary } = documentationOf(id)
  return { id, route, summary, name: functionName(id) }
})

type Operation = (typeof operations)[number]

/** The sentences about the operations for which something is missing. */
const sentences = (sentenceOf: (operation: Operation) => string | false): string[] =>
  operations.map(sentenceOf).filter((sentence) => sentence !== false)

describe('every operation', () => {
  test('is defined by a section of the specification or by a decision', () => {
    const headings = ['docs/specification.md', 'docs/decisions.md'].flatMap((page) =>
      Array.from(readFileSync(page, 'utf8').matchAll(/^### (\S+)/gm), ([, number]) => number),
    )
    const missing = sentences(({ id, route: { section } }) => {
      const page = section.startsWith('D') ? 'docs/decisions.md' : 'docs/specification.md'
      return !headings.includes(section) && `Add ${section} to ${page}: the row ${id} cites it.`
    })
    expect(missing).toEqual([])
  })

  test('has a handler, and every handler has an operation', () => {
    const folders = globSync('functions/*/handler.ts').map((file) => basename(dirname(file)))
    const strays = folders.filter((name) => !functionNames.includes(name))
    expect([
      ...sentences(({ id, name }) => lacks(`functions/${name}/handler.ts`, `the operation ${id}`)),
      ...strays.map((name) => `Add functions/${name} to functions/operations.ts, or delete it.`),
    ]).toEqual([])
  })

  test('has a test file', () => {
    const missing = sentences(({ id, name }) => lacks(`test/api/${name}.test.ts`, `the row ${id}`))
    expect(missing).toEqual([])
  })

  test('has a line in the table of the README', () => {
    const lines = readFileSync('README.md', 'utf8').split('\n')
    const missing = sentences((operation) => {
      const line = tableLine(operation)
      return !lines.includes(line) && `Add this line to "Operations" in README.md: ${line}`
    })
    expect(missing).toEqual([])
  })

  test('has a section in docs/api.md', () => {
    const lines = readFileSync('docs/api.md', 'utf8').split('\n')
    const missing = sentences(({ summary }) => {
      const heading = `### ${summary}`
      return !lines.includes(heading) && `Add a section "${heading}" with a request to docs/api.md.`
    })
    expect(missing).toEqual([])
  })
})

const lacks = (file: string, whatFor: string): string | false =>
  !existsSync(file) && `Add ${file} for ${whatFor}.`

function tableLine({ route, summary }: Operation): string {
  const anchor = summary.toLowerCase().replaceAll(',', '').replaceAll(' ', '-')
  const requests = route.paths.map((path) => `\`${route.method} ${path}\``)
  const credentials = [credentialOf[route.auth], route.player && 'player token'].filter(Boolean)
  const cells = [
    `[${summary}](docs/api.md#${anchor})`,
    requests.join(', '),
    credentials.join(' and ') || 'none',
  ]
  return `| ${cells.join(' | ')} |`
}

const credentialOf = { NONE: '', PRODUCT: 'API key', USER: 'user JWT' }
