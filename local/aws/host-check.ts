import { AwsError } from './protocol.ts'

/** The names of this machine: loopback, and those under which containers of Docker Desktop and Android's emulator reach it. */
export const hostNames =
  /^(localhost|127(\.\d{1,3}){3}|\[::1\]|host\.docker\.internal|10\.0\.2\.2)(:\d+)?$/i

/**
 * Throws an AwsError unless the header Host names this machine. A web page can make its own host name resolve to
 * 127.0.0.1 (DNS rebinding), and could then read every secret of the endpoint (D53).
 */
export function checkHost(host: string | undefined): void {
  if (host !== undefined && hostNames.test(host)) return
  throw new AwsError(
    'AccessDeniedException',
    'The header Host must be localhost or a loopback address, such as 127.0.0.1:4566',
    { status: 403, headers: { Connection: 'close' } },
  )
}
