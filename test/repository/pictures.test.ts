import { existsSync, globSync, readdirSync, readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { describe, expect, test } from 'vitest'
import { diagrams } from '../../scripts/diagrams.ts'
import { webhookSettings } from '../support/prod-settings.ts'
import { rolePermissions } from '../support/role-permissions.ts'
import { serviceTemplate } from '../support/service-template.ts'

const read = (file: string) => readFileSync(file, 'utf8')
const page = read('docs/architecture.md')
const [systems = '', request = ''] = Array.from(
  page.matchAll(/```mermaid\n(.*?)```/gs),
  ([, picture = '']) => picture,
)

describe('the picture of the systems', () => {
  const template = serviceTemplate(webhookSettings)
  const nodes = {
    functions: 'get-raw-metadata create-player-token refresh-metadata',
    worker: 'work-queue',
    follower: 'follow-chains',
    delivery: 'deliver-webhooks',
  }
  const services: Record<string, string> = {
    'dynamodb:': 'table',
    'kms:': 'kms',
    'secretsmanager:': 'secret',
  }

  test.each(Object.entries(nodes))('%s use what their roles permit', (node, names) => {
    const used = names
      .split(' ')
      .flatMap((name) => rolePermissions(template, name))
      .flatMap((permission) => {
        const [, service = ''] = /^(\w+:)/.exec(permission) ?? []
        if (permission.startsWith('sqs:SendMessage'))
          return permission.includes('Webhook') ? ['deliveries'] : ['queue']
        return services[service] ?? []
      })
    const drawn = Array.from(systems.matchAll(/^ {2}(\w+) --> (\w+)$/gm))
      .filter(([, from]) => from === node)
      .map(([, , to]) => to)
    expect(drawn.filter((to) => to !== 'alchemy').toSorted()).toEqual([...new Set(used)].toSorted())
  })
})

test('the picture of a request names files and folders that exist', () => {
  const named = Array.from(
    request.matchAll(/"((?:lib|functions|local)\/[\w/….-]+)/g),
    ([, name = '']) => name,
  )
  expect(named.length).toBeGreaterThan(5)
  expect(
    named.filter((name) => !existsSync(name) && globSync(name.replace('…', '*')).length === 0),
  ).toEqual([])
})

test('the tables of items name each beginning of a key', () => {
  const keys = globSync('lib/adapters/dynamodb/keys/*.ts').map(read).join('\n')
  const prefixes = Array.from(
    keys.matchAll(/[`']([A-Z][A-Z_]+)(?=[#'`])/g),
    ([, name = '']) => name,
  )
  const [, shown = ''] = page.split('## The table')
  const tables = shown + read('docs/ownership.md').split('## Items in the table')[1]
  const named = new Set(Array.from(tables.matchAll(/[`#]([A-Z][A-Z_]+)\b/g), ([, name]) => name))
  expect(new Set(prefixes).size).toBeGreaterThan(40)
  expect([...new Set(prefixes)].filter((name) => !named.has(name))).toEqual([])
})

const pictures = diagrams()

test.each(pictures)('$path is a picture of the diagram on its page', ({ path, digest }) => {
  const svg = existsSync(path) ? read(path) : ''
  const isCurrent = svg.includes(`<metadata>${digest}</metadata>`)
  expect(isCurrent, `${path} is stale: run \`npm run generate -- --pictures\`, commit it`).toBe(
    true,
  )
  // The Content-Security-Policy of the pages forbids them, and pictures show no HTML.
  expect(svg).not.toMatch(/<script|<style|<foreignObject|\s(?:style|on\w+)=/)
})

test('no picture is left of a diagram that is on no page', () => {
  expect(readdirSync('docs/images/diagrams').toSorted()).toEqual(
    pictures.map(({ path }) => basename(path)).toSorted(),
  )
  expect(pictures.length).toBeGreaterThan(0)
})
