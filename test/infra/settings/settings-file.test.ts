import { writeFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { deploymentSettings, InvalidDeploymentSettings } from '../../../infra/settings/settings.ts'
import { readDeploymentSettings } from '../../../infra/settings/settings-file.ts'
import { prodSettings } from '../../support/prod-settings.ts'

const dir = await mkdtemp(join(tmpdir(), 'player-nfts-settings-'))
afterAll(() => rm(dir, { recursive: true, force: true }))
const file = join(dir, 'settings.json')

/** Reads the settings of a file with this content. */
function read(content: string | Uint8Array) {
  writeFileSync(file, content)
  return readDeploymentSettings(file)
}

const refused = (message: string) => new InvalidDeploymentSettings(message)

describe('the file with the settings of a deployment', () => {
  test('is not necessary: without it, the settings are those of the stage dev', () => {
    expect(readDeploymentSettings(undefined)).toEqual(deploymentSettings({ stage: 'dev' }))
  })

  test('is a JSON object, with or without the byte order mark of UTF-8', () => {
    const text = JSON.stringify(prodSettings)
    expect(read(text)).toEqual(deploymentSettings(prodSettings))
    expect(read(`\uFEFF${text}`)).toEqual(deploymentSettings(prodSettings))
  })

  test.each(['[]', '"prod"', 'null', '7'])('is not %s', (text) => {
    expect(() => read(text)).toThrow(refused(`${file} is not a JSON object`))
  })

  test.each([
    ['{\n  "stage": prod\n}', 'near {   "stage": prod }'],
    ['{\n  "stage": "prod"\n  "issuer": "x"\n}', 'at line 3, column 3'],
    ['\uFEFF{\n  "stage": "prod"\n  "issuer": "x"\n}', 'at line 3, column 3'],
    ['{', 'at line 1, column 2'],
    ['', 'at its end'],
  ])('is refused with the place if it is not JSON: %j', (text, where) => {
    expect(() => read(text)).toThrow(refused(`${file} is not valid JSON ${where}`))
  })

  test('is refused if it is UTF-16, in either order of its bytes', () => {
    const littleEndian = Buffer.from('\uFEFF{}', 'utf16le')
    for (const bytes of [littleEndian, Buffer.from(littleEndian).swap16()]) {
      expect(() => read(bytes)).toThrow(refused(`${file} is UTF-16: save it as UTF-8`))
    }
  })

  test('is refused with every name that an object has twice, however it is escaped', () => {
    const repeated = `
      {
        "stage": "dev", "alarmEmail": "a@studio.example", "stage": "prod", "\\u0073tage": "dev",
        "volumeAlarms": { "writes": 1, "writes": 2, "registrations": 1 },
        "allowlistChains": [{ "a": 1 }, { "a": 1, "a": 2 }], "tags": { "stage": "x", "writes": "x" }
      }`
    expect(() => read(repeated)).toThrow(
      refused(
        [
          `${file} repeats names:`,
          ...['stage', 'volumeAlarms.writes', 'allowlistChains.1.a'].map(
            (name) => `${name} is there more than once: leave one of them`,
          ),
        ].join('\n- '),
      ),
    )
  })

  test('is refused if it does not exist or is a folder', () => {
    const none = join(dir, 'none.json')
    expect(() => readDeploymentSettings(none)).toThrow(refused(`${none} does not exist`))
    expect(() => readDeploymentSettings(dir)).toThrow(refused(`${dir} cannot be read (EISDIR)`))
  })
})
