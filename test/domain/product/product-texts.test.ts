import { randomBytes } from 'node:crypto'
import { crc32 } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import {
  apiKeyText,
  base62,
  keySecretBytes,
  parseApiKey,
} from '../../../lib/domain/product/api-key-text.ts'
import { checkChangedNames } from '../../../lib/domain/product/changed-names.ts'
import type { Product } from '../../../lib/domain/product/product.ts'
import type { KeyId } from '../../../lib/domain/product/product-key.ts'

const keyId = '4fK0vQ2mZxBn' as KeyId
const newText = () => apiKeyText(keyId, randomBytes(keySecretBytes))

describe('D46: the text of an API key', () => {
  test('D46: a prefix, the identity, 192 random bits and their checksum', () => {
    expect(keySecretBytes * 8).toBe(192)
    for (let count = 0; count < 100; count += 1) {
      const text = newText()
      expect(text).toMatch(/^pnk_4fK0vQ2mZxBn_[0-9A-Za-z]{39}$/)
      expect(text.slice(-6)).toBe(base62(BigInt(crc32(text.slice(0, -6))), 6))
      expect(parseApiKey(text)).toBe(text)
    }
  })

  test('D46: the largest and the smallest secret', () => {
    const largest = apiKeyText(keyId, Buffer.alloc(keySecretBytes, 0xff))
    const smallest = apiKeyText(keyId, Buffer.alloc(keySecretBytes))
    expect(largest).toHaveLength(56)
    expect(smallest).toMatch(/^pnk_4fK0vQ2mZxBn_0{33}/)
    for (const text of [largest, smallest]) expect(parseApiKey(text)).toBe(text)
  })

  test('D46: every key with one wrong character is no key', () => {
    const text = newText()
    for (let at = 0; at < text.length; at += 1) {
      for (const wrong of ['0', 'a', 'Z', '_', ' ']) {
        if (text[at] === wrong) continue
        expect(parseApiKey(text.slice(0, at) + wrong + text.slice(at + 1))).toBeUndefined()
      }
    }
    for (const other of [`${text}0`, text.slice(1), ` ${text}`, `${text}\n`, text.toUpperCase()]) {
      expect(parseApiKey(other)).toBeUndefined()
    }
  })
})

const stored = { name: 'Em\u200bber', companyName: 'Kiln' } as Product

test('D133: a product keeps a name that is stored, and gets no new one in which something is not seen', () => {
  expect(() => checkChangedNames({ ...stored }, stored)).not.toThrow()
  expect(() => checkChangedNames({ name: 'Ember' }, stored)).not.toThrow()
  const message = 'must not contain the character U+200B, which is invisible'
  expect(() => checkChangedNames({ companyName: stored.name }, stored)).toThrow(message)
  expect(() => checkChangedNames({ name: 'Em\u200bbers' }, stored)).toThrow(message)
})
