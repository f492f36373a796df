/** Tests that are not run against the emulator. */
export interface Exception {
  /** Their file under test/api. */
  file: string
  /** Their title as the file has it: a `%s` stands for anything. */
  title: string
  /** Mostly: what the emulator does, and AWS does not. */
  reason: string
}

/** Nothing is excepted that would pass. */
export const exceptions: readonly Exception[] = [
  {
    file: 'generated-requests.test.ts',
    title: '%s answers each with a success or a problem that its row names, never 500',
    reason:
      'It calls the functions themselves, thousands of times each: too often for a deployed API',
  },
  {
    file: 'every-route.test.ts',
    title: 'D3: %s with JSON that is not UTF-8 is 400 invalid_json',
    reason: 'MiniStack repairs such a body with U+FFFD',
  },
  {
    file: 'gateway.test.ts',
    title: 'D3: a request line and headers past 10,240 bytes are 431',
    reason: 'MiniStack takes longer ones',
  },
  {
    file: 'unbind-nfts.test.ts',
    title: 'D20: as long as the URL fits 10,240 bytes; past that the gateway refuses',
    reason: 'MiniStack takes longer ones',
  },
  {
    file: 'gateway.test.ts',
    title: "D3: a body past Lambda's 6 MB is 413",
    reason: 'MiniStack hands it to the function',
  },
  {
    file: 'gateway.test.ts',
    title: 'D3: a method that the path has not is 404: OPTIONS /product',
    reason: 'MiniStack takes every OPTIONS for a preflight',
  },
  {
    file: 'gateway.test.ts',
    title: 'D6: OPTIONS without the marks of a preflight is none',
    reason: 'MiniStack takes every OPTIONS for a preflight',
  },
  {
    file: 'gateway.test.ts',
    title: 'D6: failures may be read across origins, those of the gateway too',
    reason: "MiniStack's own 404 has no CORS headers",
  },
  {
    file: 'gateway.test.ts',
    title: 'D6: without an origin there are no CORS headers',
    reason: 'MiniStack adds them to every answer',
  },
]

/** Why a test is not run against the emulator; `undefined`: it is. */
export const reasonToSkip = (file: string, title: string): string | undefined =>
  exceptions.find((exception) => isAbout(exception, file, title))?.reason

/** Whether an exception is about the test of this file and title. */
export const isAbout = (exception: Exception, file: string, title: string): boolean =>
  file.endsWith(`/${exception.file}`) && isLike(exception.title, title)

function isLike(pattern: string, title: string): boolean {
  const [start = '', ...rest] = pattern.split('%s')
  return (
    title.startsWith(start) &&
    title.endsWith(rest.at(-1) ?? '') &&
    (rest.length > 0 || title === start)
  )
}
