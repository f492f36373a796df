import { expect, test } from 'vitest'
import { quotedName } from '../../scripts/quoted-name.ts'

test.each([
  ['Gull "Harbour"\\', 'Gull \\"Harbour\\"\\\\'],
  ['exe.\u202egnp', 'exe.\\u{202e}gnp'],
  ['\u001b[2J\u009b2J\r\n', '\\u{1b}[2J\\u{9b}2J\\u{d}\\u{a}'],
  ['Zel\u200bda\u{e0041}', 'Zel\\u{200b}da\\u{e0041}'],
  ['👩‍🚀 Crew', '👩‍🚀 Crew'],
])('D133: a terminal shows the name %j isolated, with what is not seen in it', (name, text) => {
  expect(quotedName(name)).toBe(`\u2068"${text}"\u2069`)
})
