/**
 * Whether the tests run on Windows. Tests of what only POSIX has are skipped there: signals that a process
 * handles, file modes, symbolic links without privileges, bash.
 */
export const onWindows = process.platform === 'win32'
