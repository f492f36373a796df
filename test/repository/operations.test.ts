import { existsSync, globSync, readFileSync } from 'node:fs'
import { basename, dirname } from 'node:path'
import { describe, expect, test } from 'vitest'
import { operationIds, routes } from '../../functions/operations.ts'
import { everyFeature, functionNames } from '../../infra/bundle/bundle.ts'
import type { Route } from '../../lib/contract/route.ts'
import { functionName } from '../../lib/contract/route.ts'
import { documentationOf } from '../../openapi/operations.ts'

// The steps of "Add an operation" in CONTRIBUTING.md that no type check holds. A failing test prints
// one sentence for each step that is missing.

const operations = operationIds.map((id) => {
  const route: Route = routes[id]
  return { id, route, name: functionName(id) }
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
    const known = functionNames(everyFeature)
    const strays = folders.filter((name) => !known.includes(name))
    expect([
      ...sentences(
        ({ id, name }) =>
          !existsSync(`functions/${name}/handler.ts`) &&
          `Add functions/${name}/handler.ts for the operation ${id}.`,
      ),
      ...strays.map((name) => `Add functions/${name} to functions/operations.ts, or delete it.`),
    ]).toEqual([])
  })

  test('is named by a title in test/api', () => {
    const files = globSync('test/api/*.test.ts').map((file) => readFileSync(file, 'utf8'))
    const titles = files.join('')
    // The operations of sign-in with wallets are tested together in test/service, from the message to the game.
    const missing = sentences(({ id, route }) => {
      const { summary } = documentationOf(id)
      // As a whole: the name of another operation can begin with it.
      const isNamed = new RegExp(`${summary}[':,]`, 'i').test(titles)
      return (
        !isNamed &&
        route.needs !== 'walletSignIn' &&
        `Add a test with “${summary}” in its title to test/api for the row ${id}.`
      )
    })
    expect(missing).toEqual([])
  })
})
