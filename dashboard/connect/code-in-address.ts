/** The parameter in which a game puts its code (D112). */
const parameter = 'code'

/**
 * The code with which a game has opened the page, or `undefined`. It is taken out of the address, because a code that was asked
 * for from another network must not be shown.
 */
export function codeFromAddress(): string | undefined {
  const code = new URLSearchParams(location.search).get(parameter)?.trim()
  if (location.search) history.replaceState(null, '', location.pathname)
  return code || undefined
}

/** The address of the page, with a code if there is one. */
export const pageAddress = (code: string | undefined): string =>
  `${location.origin}${location.pathname}${code === undefined ? '' : `?${new URLSearchParams({ [parameter]: code })}`}`
