/** The parameter in which a game puts its code (D112). */
const parameter = 'code'

/**
 * The code with which a game has opened the page, or with which it was before it was loaded again; `undefined` if there is none. It is
 * taken out of the address, because a code that was asked for from another network must not be shown.
 */
export function codeFromAddress(): string | undefined {
  const fromGame = new URLSearchParams(location.search).get(parameter)?.trim()
  const code = fromGame || (history.state?.[parameter] as string | undefined)
  keepCode(code)
  return code
}

/** Keeps a code for when the page is loaded again. */
export const keepCode = (code: string | undefined): void =>
  history.replaceState({ [parameter]: code }, '', location.pathname)

/** The address of the page, with a code if there is one. */
export const pageAddress = (code?: string): string =>
  `${location.origin}${location.pathname}${code === undefined ? '' : `?${new URLSearchParams({ [parameter]: code })}`}`
