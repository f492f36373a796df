import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { sampleCommands, sampleProduct } from '@player-nfts/local/samples/sample-product'
import { sampleTable } from '@player-nfts/local/samples/sample-table'
import { describe, expect, inject, test } from 'vitest'
import { anchorOf } from '../../openapi/reference/markdown.ts'
import { newFolder } from '../support/command-fixture.ts'
import { serve } from '../support/services/http-server.ts'
import { comparable, outputs, showing } from '../support/shown-output.ts'
import { onWindows } from '../support/vitest/windows.ts'

const pages = globSync(
  ['*.md', 'docs/**/*.md', '{bench,clients,examples,local,openapi,test}/**/*.md'],
  {
    exclude: ['**/node_modules'],
  },
)
const read = (file: string) => readFileSync(file, 'utf8')
const readme = read('README.md')

const matches = (pattern: RegExp, ...texts: string[]) =>
  texts.flatMap((text) => Array.from(text.matchAll(pattern), ([, group = '']) => group))

const anchorsOf = (page: string) => matches(/^#+ (.*)$/gm, read(page)).map(anchorOf)

describe.each(pages)('%s', (page) => {
  test('links to existing files and headings', () => {
    const links = matches(/\]\(([^)\s]+)\)/g, read(page)).filter((link) => !/^https?:/.test(link))
    const broken = links.filter((link) => {
      const [path = '', anchor] = link.split('#')
      const file = path === '' ? page : join(dirname(page), path)
      return !existsSync(file) || (anchor !== undefined && !anchorsOf(file).includes(anchor))
    })
    expect({ broken, some: links.length > 0 }).toEqual({ broken: [], some: true })
  })

  test('names existing npm scripts', () => {
    const { scripts } = JSON.parse(read('package.json'))
    const named = matches(/\bnpm run (?:--silent )?([a-z:-]*[a-z])/g, read(page))
    expect(Object.keys(scripts)).toEqual(expect.arrayContaining(named))
  })
})

/** The curl commands that print their answer: others keep it in a variable, or hand it to a pipe. */
const printingCurls = (text: string) =>
  matches(/(?:^|[`&] *)(curl .*(?:\\\n.*)*)$/gm, text).filter((command) => !command.includes(' | '))

test('every curl command on a page prints a new line after the answer', () => {
  const commands = pages.flatMap((page) => printingCurls(read(page)))
  expect(commands.filter((command) => !command.startsWith("curl -w '\\n' "))).toEqual([])
  expect(commands.length).toBeGreaterThan(30)
})

const commandsOf = (text: string) => matches(/^ *```(?:text|sh)\n(.*?)^ *```/gms, text).join('\n')

describe('the pages for operators', () => {
  const firstDay = read('docs/first-day.md')
  const everywhere = commandsOf(
    firstDay.split(/^## /m).find((part) => /^\d\. Variables/.test(part)) ?? '',
  )
  const sets = (commands: string) =>
    matches(/(?:^ *|for |read -rs )([A-Z_]+)(?==| in |$)/gm, commands)

  test.each([
    ['first-day', ''],
    ['changes', everywhere],
    ['operations', everywhere],
    ['pipeline', everywhere],
    ['quotas', everywhere],
    ['runbook', everywhere],
  ])(
    'docs/%s.md sets each shell variable before its first use, or has it from the first day',
    (name, before) => {
      const commands = `${before}\n${commandsOf(read(`docs/${name}.md`))}`
      const used = Array.from(commands.matchAll(/\$\{?([A-Z_]+)/g))
      const unset = used.filter(
        ({ 1: variable = '', index }) =>
          !variable.startsWith('AWS_') && !sets(commands.slice(0, index)).includes(variable),
      )
      expect(unset.map(([variable]) => variable)).toEqual([])
    },
  )

  test('set the variables of all commands once', () => {
    expect(sets(everywhere)).toEqual(['STACK', 'API_URL', 'TABLE_NAME'])
    const pages = globSync('docs/*.md').map((page) => commandsOf(read(page)))
    const set = pages.flatMap(sets).filter((variable) => sets(everywhere).includes(variable))
    expect(set).toEqual(sets(everywhere))
  })
})

test('code and messages name headings of pages that exist', () => {
  const code = globSync(
    '{.github,functions,infra,lib,local,scripts,simulation,test}/**/*.{mjs,py,ts,yml}',
  )
  const named = new Set(matches(/\b(docs\/[a-z-]+\.md#[a-z0-9-]+)/g, ...code.map(read)))
  const broken = [...named].filter((link) => {
    const [page = '', anchor = ''] = link.split('#')
    return !anchorsOf(page).includes(anchor)
  })
  expect({ broken, some: named.size > 0 }).toEqual({ broken: [], some: true })
})

describe('docs/decisions.md', () => {
  const sections = read('docs/decisions.md').split(/^### /m).slice(1)
  const numberOf = (section: string) => section.split('\n')[0] ?? ''
  const numbers = sections.map(numberOf)
  /** Whether a decision is only the record of what held before another one. */
  const isRecord = (section: string) => section.includes(' replaces this decision.\n')

  test('has each decision once, in order and without gaps', () => {
    expect(numbers.length).toBeGreaterThanOrEqual(33)
    expect(numbers).toEqual(numbers.map((_, index) => `D${index + 1}`))
  })

  test('has records of at most 90 words that name the page of their rule, or only what replaces them', () => {
    const wrong = sections.filter((section) => {
      const text = section.split('\n').slice(1).join('\n').split('\n## ')[0] ?? ''
      if (isRecord(section))
        return !/^\s*\[(D\d+)\]\(#d\d+\) replaces this decision\.\s*$/.test(text)
      const [, rule = ''] = text.split(/\bRule:\s/)
      return text.split(/\s+/).length > 92 || !/\]\([a-z-]+\.md(#[a-z0-9-]+)?\)/.test(rule)
    })
    expect(wrong.map(numberOf)).toEqual([])
  })

  test('has each decision that code, tests and pages name', () => {
    const files = globSync([
      '*.md',
      '{bench,clients,dashboard,docs,examples,functions,infra,lib,local,openapi,scripts,simulation,test}/**/*.{md,ts,tsx}',
    ]).filter((file) => !file.includes('node_modules'))
    const named = new Set(matches(/(?<![\w#/-])(D\d{1,3})(?![\w-])/g, ...files.map(read)))
    expect([...named].filter((number) => !numbers.includes(number))).toEqual([])
    expect(named.size).toBeGreaterThan(100)
  })

  test('has decisions that tests name in their titles', () => {
    const title = /(?:\b(?:test|describe)|\))\(\s*(?:'([^'\n]*)'|`([^`]*)`)/g
    const titles = globSync('{test,*/test,clients/typescript/test}/**/*.test.ts').flatMap((file) =>
      Array.from(read(file).matchAll(title), ([, quoted, template]) => quoted ?? template ?? ''),
    )
    const named = new Set(matches(/\b(D\d+)\b/g, ...titles))
    const missing = sections
      .filter((section) => !isRecord(section))
      .map(numberOf)
      .filter((number) => !named.has(number))
      .map((number) => `Name ${number} in the title of a test that fails if it does not hold.`)
    expect(missing).toEqual([])
  })
})

describe('README.md', () => {
  test('has every npm script', () => {
    for (const script of Object.keys(JSON.parse(read('package.json')).scripts)) {
      expect(readme).toMatch(new RegExp(`\`npm (run )?(--silent )?${script}\\b`))
    }
  })

  test('is at most 300 lines long', () => {
    const lines = readme.split('\n').length - 1
    expect(lines, 'Move a part of README.md to a page under docs.').toBeLessThanOrEqual(300)
  })

  test.skipIf(onWindows)(
    'shows the output of npm start and of its commands',
    async () => {
      const target = inject('target')
      const { apiKey } = await sampleProduct(target.url, newFolder(), ['POLYGON', 'BSC'])
      const commands = await sampleCommands(target, apiKey)
      const quickStart =
        readme.split(/^## /m).find((section) => section.startsWith('Quick start')) ?? ''
      const shown = matches(/^(curl .*)$/gm, quickStart)
      const local = commands.map((command) => command.replace(target.url, 'http://127.0.0.1:3000'))
      expect(local.map(comparable)).toEqual(shown.map(showing))
      const answers = matches(/^```json\n([\s\S]*?)^```$/gm, quickStart)
      expect((await outputs(commands)).map(comparable)).toEqual(answers.map(showing))
    },
    60_000,
  )

  test('shows the sample world as npm start prints it', () => {
    expect(readme).toContain(`\n${sampleTable('.local').join('\n')}\n`)
  })

  test.skipIf(onWindows)('stops at the first call that fails', async () => {
    const requests: string[] = []
    const url = await serve(({ method, url }, response) => {
      requests.push(`${method} ${url}`)
      response.writeHead(503, { 'content-type': 'application/problem+json' })
      response.end('{"success":false,"type":"about:blank","title":"Not available","status":503}')
    })
    const folder = newFolder()
    const steps = readme
      .replaceAll('http://127.0.0.1:3000', url)
      .split(/^```sh\n/m)
      .slice(1)
    const commands = steps.map((step) => step.split(/^```$/m)[0] ?? '')
    const [registered = '', ...others] = await outputs(commands, {
      DATA_DIR: folder,
      PORT: new URL(url).port,
    })
    expect(registered).toContain('Not available')
    expect(others).toEqual([])
    expect(requests).toEqual(['POST /api/public/v1/product'])
  })
})
