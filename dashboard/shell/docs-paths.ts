/** Returns where the documentation explains a problem of the API, by its code. */
export const problemPath = (code: string): string =>
  `/docs/reference-problems.html#${encodeURIComponent(code)}`
