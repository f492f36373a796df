/**
 * What names an account, a person or a machine, or is secret, in the order in which it is replaced: an ARN contains an
 * account, and a URL a host.
 */
const patterns: readonly (readonly [RegExp, string])[] = [
  [/\beyJ[\w-]+(?:\.[\w-]*)*/g, '[token]'],
  [/\barn:[\w-]+:[^\s"'`,)\]}]+/g, '[ARN]'],
  [/[\w.+-]+@[\w-]+(?:\.[\w-]+)+/g, '[mail address]'],
  [/\bhttps?:\/\/[^\s"'`,)\]}]+/g, '[URL]'],
  [
    /\b(?:[a-z0-9_-]+\.)+(?:com|net|org|aws|io|dev|cn|eu|cloud|example|localhost|internal|local)\b(?::\d+)?/gi,
    '[host]',
  ],
  [/\b\d{1,3}(?:\.\d{1,3}){3}\b(?::\d+)?/g, '[address]'],
  [/\b(?:[0-9a-f]{1,4}:){3,}[0-9a-f:]+\b/gi, '[address]'],
  [/\bpnk_\w+/g, '[key]'],
  [/\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/gi, '[id]'],
  [/\b(?:AKIA|ASIA|AROA|AIDA)[0-9A-Z]{12,}\b/g, '[access key]'],
  [/(?<![0-9a-fA-F])\d{12}(?![0-9a-fA-F])/g, '[account]'],
  // A secret of Secrets Manager, a signature, a session token: long, with letters and digits, and without words.
  [/(?<![\w/+=-])(?=[\w/+=]*\d)(?=[\w/+=]*[A-Za-z])[A-Za-z0-9/+=_]{28,}/g, '[secret]'],
]

/** A text without what names an account, a person or a machine, and without this and other secrets. */
export function withoutIdentifiers(text: string, secret: string): string {
  let shown = text.replaceAll(secret, '[secret]')
  for (const [pattern, replacement] of patterns) shown = shown.replaceAll(pattern, replacement)
  return shown
}
