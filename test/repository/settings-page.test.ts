import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { deploymentSettingTable as deploymentSettings } from '../../infra/deployment-setting-table.ts'
import { stageDefaults } from '../../infra/stages.ts'
import type { Setting, SettingTable } from '../../lib/settings/setting.ts'
import { functionSettings } from '../../lib/settings/setting-table.ts'
import { localSettingTable as localSettings } from '../../local/settings.ts'

const page = readFileSync('docs/settings.md', 'utf8')

/** The table under a heading: the cells of each row after the name of the setting, by this name. */
function tableUnder(heading: string): Record<string, string[]> {
  const [, section = ''] = page.split(`${heading}\n`)
  const [table = ''] = section.slice(section.indexOf('\n| ') + 1).split('\n\n')
  const [, , ...lines] = table.trim().split('\n')
  const rows = lines.map((line) => line.slice(2, -2).split(' | '))
  return Object.fromEntries(rows.map(([name = '', ...cells]) => [name, cells]))
}

/** The table that the page must have. */
const shown = (table: SettingTable, cellsOf: (row: Setting, name: string) => unknown[]) =>
  Object.fromEntries(
    Object.entries(table).map(([name, row]) => [`\`${name}\``, cellsOf(row, name)]),
  )

const meaningOf = ({ meaning }: Setting) =>
  meaning.replaceAll(/\bD(\d+)\b/g, '[D$1](decisions.md#d$1)')

/** The default as code. Words stand for the absence of an optional setting. */
function defaultOf(
  { optional }: Setting,
  value: unknown,
  textOf: (value: unknown) => string = String,
): unknown {
  if (value !== undefined) return `\`${textOf(value)}\``
  return optional ? expect.stringMatching(/^[^`]+$/) : 'required'
}

const json = (value: unknown) =>
  typeof value === 'string' ? value : JSON.stringify(value).replaceAll('","', '", "')

describe('docs/settings.md', () => {
  test('has every setting of npm start, with its default', () => {
    expect(tableUnder('## npm start')).toEqual(
      shown(localSettings, (row) => [defaultOf(row, row.default), meaningOf(row)]),
    )
    expect(page).toContain('`USER_JWT_KEY`')
  })

  test('has every setting of a deployment, with its defaults in both stages', () => {
    expect(tableUnder('## A deployment')).toEqual(
      shown(deploymentSettings, (row, name) => {
        const { [name]: dev = row.default } = stageDefaults.dev
        const { [name]: prod = row.default } = stageDefaults.prod
        const inProd = dev === prod && dev !== undefined ? 'the same' : defaultOf(row, prod, json)
        return [meaningOf(row), defaultOf(row, dev, json), inProd]
      }),
    )
  })

  test('has every environment variable of the functions, with its default', () => {
    expect(tableUnder('## The functions')).toEqual(
      shown(functionSettings, (row) => [
        row.inDeployment ? `\`${row.inDeployment}\`` : '',
        defaultOf(row, row.default),
        meaningOf(row),
      ]),
    )
  })
})
