import { expect, test } from 'vitest'
import { deploymentSettings } from '../../../infra/settings/settings.ts'
import { notesOn } from '../../../infra/settings/settings-file.ts'

test('D75: a note says that dropAllKeys is for one deployment', () => {
  expect(notesOn(deploymentSettings({ dropAllKeys: true }))).toEqual([
    expect.stringMatching(/^dropAllKeys is true, which is for one deployment: remove it/),
  ])
  expect(notesOn(deploymentSettings({}))).toEqual([])
})
