import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'
import type { OnEnd } from '../vitest/at-file-end.ts'

/** Serves on a free port of 127.0.0.1 until the test ends, and returns the URL. */
export async function serve(
  listener: RequestListener,
  onEnd: OnEnd = onTestFinished,
): Promise<string> {
  const server = createServer(listener)
  await once(server.listen(0, '127.0.0.1'), 'listening')
  onEnd(() => {
    server.close()
    server.closeAllConnections()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}
