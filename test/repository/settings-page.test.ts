import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { settingNames } from '../../infra/settings.ts'
import { stageDefaults } from '../../infra/stages.ts'

const read = (file: string) => readFileSync(file, 'utf8')
const page = read('docs/settings.md')

/** The rows of the table under a heading, as cells. */
function tableUnder(heading: string): string[][] {
  const [, section = ''] = page.split(`${heading}\n`)
  const [table = ''] = section.slice(section.indexOf('\n| ') + 1).split('\n\n')
  const [, , ...rows] = table.split('\n')
  return rows.map((row) => row.slice(2, -2).split(' | '))
}

describe('docs/settings.md', () => {
  test('has every variable', () => {
    const variable = /\b([A-Z]+(?:_[A-Z]+)+|PORT|ISSUER)\b/g
    for (const file of ['local/settings.ts', 'lib/settings/environment.ts']) {
      for (const [name] of read(file).matchAll(variable)) expect(page).toContain(`\`${name}`)
    }
    expect(page).toContain('`USER_JWT_KEY`')
  })

  test('has every setting, and what it is in the stage dev', () => {
    const rows = tableUnder('## A deployment').map((row) => row.map(codeIn))
    expect(rows.flatMap(([names = []]) => names).toSorted()).toEqual(settingNames.toSorted())
    for (const [[...names] = [], , dev = []] of rows) {
      const defaults = names
        .map((name) => stageDefaults.dev[name])
        .filter((each) => each !== undefined)
      // A gateway's default is that of the functions, and what the service token is stands in words.
      if (/Gateway|serviceToken/.test(`${names}`)) continue
      expect(dev).toEqual([...new Set(defaults.map(textOf))])
    }
  })
})

const codeIn = (cell: string): string[] =>
  Array.from(cell.matchAll(/`([^`]+)`/g), ([, code = '']) => code)

const textOf = (value: unknown): string =>
  typeof value === 'string' ? value : JSON.stringify(value).replaceAll('","', '", "')
