import { signInOperationIds } from '../support/operations.ts'

/** Tests that are skipped against the emulator. */
export interface Exception {
  /** The file of the tests under test/api. `%s` stands for any text. */
  file: string
  /** The title of the tests as in the file. */
  title: string
  /** The reason, mostly a difference between the emulator and AWS. */
  reason: string
}

/** A test that is not worth its time anywhere but in `npm test`. */
export const generatedRequests: Exception = {
  file: 'generated-requests.test.ts',
  title: '%s returns a success or a problem that its row in the route table names, never 500',
  reason: 'It calls each function thousands of times, which is too often for a deployed API',
}

/** Tests of the operations and fields of sign-in with wallets, which a deployment without the setting lacks. */
export const withoutSignIn: readonly Exception[] = [
  ...signInOperationIds.map((id) => `%s: ${id} %s`),
  'D2: updateProduct with an object as signIn%s is 400, naming it',
].map((title) => ({
  file: 'every-route.test.ts',
  title,
  reason: 'The deployment of the API tests does not sign players in with wallets',
}))

type Row = readonly [name: string, title: string, reason: string]

const exceptions = (rows: readonly Row[]): Exception[] =>
  rows.map(([name, title, reason]) => ({ file: `${name}.test.ts`, title, reason }))

/** What SAM and MiniStack do alike. */
const rowsOfBoth = (emulator: string): Row[] => [
  [
    'gateway',
    'D3: a request line and headers over 10,240 bytes are 431',
    `${emulator} accepts longer ones`,
  ],
  [
    'allowlist',
    'D20: the URL may have 10,240 bytes; API Gateway rejects a longer URL',
    `${emulator} accepts longer ones`,
  ],
  [
    'gateway',
    'D6: OPTIONS without the headers of a preflight request is not a preflight request',
    `${emulator} treats every OPTIONS as a preflight`,
  ],
]

/** The exceptions for SAM. Nothing corrects it, because nobody who runs `sam local start-api` has the corrections. */
export const samExceptions: readonly Exception[] = [
  generatedRequests,
  ...exceptions([
    ...rowsOfBoth('SAM'),
    [
      'every-route',
      'D3: %s that is not UTF-8 is 400 %s',
      'SAM decodes each body as UTF-8 and responds with 502 if it cannot; API Gateway passes base64',
    ],
    [
      'gateway',
      'D3: %s is 404',
      'SAM responds with 403 if no route matches, and a route of SAM also matches a trailing slash',
    ],
    [
      'gateway',
      'D3: a method that the path does not have is 404: %s',
      'SAM responds with 403 to such a method, and treats every OPTIONS as a preflight',
    ],
    [
      'gateway',
      "D3: a body over Lambda's 6 MB is 413",
      'SAM passes it to the function, whose own 413 is a problem',
    ],
    [
      'gateway',
      'D6: a preflight request succeeds on any path: %s',
      'SAM responds with 200, and with 403 on a path without a route',
    ],
    [
      'gateway',
      'D6: errors can be read from other origins, including those of API Gateway',
      "SAM's own 403 has no CORS headers, and no response has Access-Control-Expose-Headers",
    ],
    [
      'gateway',
      'D61: pages of other origins can read the request id, also of successes',
      'SAM ignores the ExposeHeaders of the API',
    ],
  ]),
]

/** The exceptions for MiniStack. Each of these tests would fail. */
export const ministackExceptions: readonly Exception[] = [
  generatedRequests,
  ...withoutSignIn,
  ...exceptions([
    ...rowsOfBoth('MiniStack'),
    [
      'every-route',
      'D3: %s with JSON that is not UTF-8 is 400 invalid_json',
      'MiniStack repairs such a body with U+FFFD',
    ],
    ['gateway', "D3: a body over Lambda's 6 MB is 413", 'MiniStack passes it to the function'],
    [
      'gateway',
      'D3: a method that the path does not have is 404: OPTIONS /product',
      'MiniStack treats every OPTIONS as a preflight',
    ],
    [
      'gateway',
      'D6: errors can be read from other origins, including those of API Gateway',
      "MiniStack's own 404 has no CORS headers",
    ],
    [
      'gateway',
      'D6: a response to a request without an origin has no CORS headers',
      'MiniStack adds them to every response',
    ],
  ]),
]

/** The first exception that skips the test with this file and title, or undefined if the test runs. */
export const exceptionOf = (
  all: readonly Exception[],
  file: string,
  title: string,
): Exception | undefined =>
  all.find((exception) => matches(`%s/${exception.file}`, file) && matches(exception.title, title))

function matches(pattern: string, text: string): boolean {
  const parts = pattern.split('%s').map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&'))
  return new RegExp(`^${parts.join('.*')}$`, 's').test(text)
}
