/**
 * An ERC-20 amount in whole tokens as exact decimal text: no exponent, no trailing zeros, `0` for
 * nothing (D29). `units`: the amount in the token's smallest unit; `decimals`: how many digits of it
 * are behind the point.
 */
export function decimalAmount(units: bigint, decimals: number): string {
  const digits = units.toString().padStart(decimals + 1, '0')
  const whole = digits.slice(0, digits.length - decimals)
  const fraction = digits.slice(digits.length - decimals).replace(/0+$/, '')
  return fraction === '' ? whole : `${whole}.${fraction}`
}
