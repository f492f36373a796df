import { execFileSync } from 'node:child_process'
import { runInNewContext } from 'node:vm'
import { describe, expect, test } from 'vitest'
import {
  csharpLiteral,
  godotLiteral,
  scriptLiteral,
  shellLiteral,
  unrealLiteral,
} from '../../../dashboard/views/try-it/literals.ts'
import { onWindows } from '../../support/vitest/windows.ts'

const hostile = [
  '',
  'plain',
  `it's "quoted" and 'quoted'`,
  String.raw`back\slash \n \' \" \\`,
  'line\nfeed\r\ncarriage\ttab',
  '$(touch x) `touch y` $HOME !!',
  '%s %d {0} {{ }} #{x}',
  '// comment */ /* -- ; & | > <',
  '??/ ??= ??(',
  '</script><img src=x onerror=alert(1)>',
  '\u0001\u001b\u007f\u0085\u2028\u2029',
  'Türme 🏮 \u202Eevil\u202C \u200B',
]

describe('Try it: string literals of hostile texts', () => {
  test.each(hostile)('JavaScript reads %j', (text) => {
    expect(runInNewContext(scriptLiteral(text))).toBe(text)
  })

  test.skipIf(onWindows).each(hostile)('a shell reads %j', (text) => {
    const printed = execFileSync('sh', ['-c', `printf %s ${shellLiteral(text)}`])
    expect(printed.toString()).toBe(text)
  })

  test.each(hostile)('the engines get one line of printable ASCII for %j', (text) => {
    for (const write of [scriptLiteral, csharpLiteral, unrealLiteral, godotLiteral]) {
      expect(write(text)).toMatch(/^[\x20-\x7e]+$/)
    }
  })

  test.each(hostile)('C#, C++ and GDScript read %j', (text) => {
    expect(read(csharpLiteral(text), 8)).toBe(text)
    expect(read(unrealLiteral(text).slice('TEXT('.length, -1), 8)).toBe(text)
    expect(read(godotLiteral(text), 6)).toBe(text)
  })

  test('halves of surrogate pairs become the replacement character', () => {
    for (const write of [shellLiteral, scriptLiteral]) {
      expect(runInNewContext(write('a\ud83cb'))).toBe('a\ufffdb')
    }
    for (const write of [csharpLiteral, unrealLiteral, godotLiteral]) {
      expect(write('a\ud83cb')).toContain('"a\\uFFFDb"')
    }
  })

  test('literals that cannot contain a null character do not', () => {
    expect(shellLiteral('a\0b')).toBe("'ab'")
    expect(unrealLiteral('a\0b')).toBe('TEXT("a\\uFFFDb")')
    expect(godotLiteral('a\0b')).toBe('"a\\uFFFDb"')
  })
})

const controls: Record<string, string> = { n: '\n', r: '\r', t: '\t' }

/** Reads a string literal whose long escape sequences have this number of digits, as the three languages do. */
function read(literal: string, longDigits: number): string {
  const body = /^"((?:[^"\\]|\\.)*)"$/.exec(literal)?.[1]
  if (body === undefined) throw new Error(`not a literal: ${literal}`)
  const sequence = new RegExp(`\\\\(?:u(.{4})|U(.{${longDigits}})|(.))`, 'g')
  return body.replaceAll(sequence, (_, short, long, single) =>
    single === undefined
      ? String.fromCodePoint(Number.parseInt(short ?? long, 16))
      : (controls[single] ?? single),
  )
}
