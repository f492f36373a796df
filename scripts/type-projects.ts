/**
 * The folders whose tsconfig.json is checked. The tests of the browser have another one, which they check themselves.
 */
export const projects: readonly string[] = [
  '.',
  'clients/typescript',
  'dashboard',
  'dashboard/test',
]
