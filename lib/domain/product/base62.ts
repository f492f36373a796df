const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

/** The last `length` digits of a number in base 62, with leading zeros. */
export function base62(number: bigint, length: number): string {
  let text = ''
  for (let rest = number; text.length < length; rest /= 62n) {
    text = digits.charAt(Number(rest % 62n)) + text
  }
  return text
}
