/**
 * The folders whose tsconfig.json `npm run typecheck` and `npm test` check. The tests of the browser have another one,
 * which they check themselves.
 */
export const projects: readonly string[] = [
  '.',
  'clients/typescript',
  'dashboard',
  'dashboard/test',
]
