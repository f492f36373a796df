import { createServer } from 'node:http'
import { request as httpsRequest } from 'node:https'
import type { AddressInfo } from 'node:net'
import { type Ministack, startMinistack } from '../ministack.ts'
import { ministackProgram, pythonEnvironment } from '../python-environment.ts'
import type { TrialPlace } from './account-place.ts'

/** MiniStack on this machine, which `cleanup` stops. */
export async function emulatorPlace(
  dir: string,
  cleanup: AsyncDisposableStack,
): Promise<TrialPlace> {
  const python = await pythonEnvironment(ministackProgram)
  const ministack = await startMinistack(python, dir)
  cleanup.defer(() => ministack.close())
  const { account, aws, environment } = ministack
  return { account, aws, environment, concurrency: 1_000, emulator: { python, ministack } }
}

/**
 * An address on this machine that leads to a function URL. MiniStack serves it by the name of the host, and names of
 * AWS lead elsewhere.
 */
export async function forwardTo(
  { host }: URL,
  { aws }: Pick<Ministack, 'aws'>,
  cleanup: AsyncDisposableStack,
): Promise<string> {
  const { hostname, port } = new URL(aws.endpoint)
  const server = createServer((received, response) => {
    const { method = 'GET', url: path = '/', headers } = received
    const sent = httpsRequest(
      // The certificate is for this name, and not for that of the function.
      { hostname, port, method, path, headers: { ...headers, host }, servername: 'localhost' },
      (answer) => {
        response.writeHead(answer.statusCode ?? 502, answer.headers)
        answer.pipe(response)
      },
    )
    sent.on('error', () => response.destroy())
    received.pipe(sent)
  })
  // Longer than clients keep idle connections, so that no request meets a connection that closes.
  server.keepAliveTimeout = 120_000
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  cleanup.defer(() => {
    server.close()
    server.closeAllConnections()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}
