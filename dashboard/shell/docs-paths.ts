/** The page of the documentation that explains each problem of the API. */
const problemsPage = '/docs/reference-problems.html'

/** Returns where the documentation explains a problem of the API, by its code. */
export const problemPath = (code: string): string => `${problemsPage}#${encodeURIComponent(code)}`
