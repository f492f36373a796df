import type { ProblemEntry } from './problem-entry.ts'
import { problemCodes, problems } from './problems.ts'

const note =
  '// `npm run generate` writes this file from openapi/problems, which says more about each problem.\n'

/** The text of lib/domain/problems.ts: what the functions need of each problem. */
export const problemTable = (): string =>
  `${note}
/** Every problem of the API: its code, its status and title, and how OAuth and the challenge of a 401 name it (D3). */
export const problems = {
${problemCodes.map((code) => `  ${code}: { ${membersOf(problems[code])} },`).join('\n')}
} as const

/** A stable code that programs switch on (D2). */
export type ProblemCode = keyof typeof problems
`

const membersOf = ({ status, title, challenge, oauthError }: ProblemEntry): string =>
  [
    `status: ${status}`,
    `title: ${quoted(title)}`,
    challenge && `challenge: ${quoted(challenge)}`,
    oauthError && `oauthError: ${quoted(oauthError)}`,
  ]
    .filter(Boolean)
    .join(', ')

const quoted = (text: string): string => `'${text.replaceAll("'", "\\'")}'`

/** The text of a file with what one of the pages says of problems, by their codes. */
export const problemSentences = (page: 'dashboard' | 'connect'): string => {
  const lines = problemCodes.flatMap((code) => {
    const sentences = problems[code][page]
    return sentences ? [`  ${code}: [${sentences.map(quoted).join(', ')}],`] : []
  })
  return `${note}
/** What has happened, and what to do about it. */
export const problemSentences: Readonly<Record<string, readonly [title: string, advice: string]>> = {
${lines.join('\n')}
}
`
}
