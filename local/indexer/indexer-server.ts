import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { writeJson } from '../../lib/json/verbatim-json.ts'
import { readBody } from '../read-body.ts'
import { ApiError, type ApiResponse } from './api-error.ts'
import {
  createIndexer,
  errorResponse,
  type Indexer,
  type IndexerOptions,
  parsedBody,
} from './indexer.ts'

/** A running indexer. */
export interface IndexerServer extends Pick<Indexer, 'requests' | 'networks'> {
  /** The value for INDEXER_URL. */
  url: string
  close(): Promise<void>
}

const maxBodyBytes = 1_048_576

/** Serves an indexer on a free port of 127.0.0.1. */
export async function startIndexerServer(options: IndexerOptions): Promise<IndexerServer> {
  const { respond, ...counts } = createIndexer(options)
  const server = createServer((request, response) => {
    respond({ method: request.method, target: request.url ?? '', body: () => readJson(request) })
      .then((result) => send(response, result))
      .catch((error: unknown) => response.destroyed || send(response, errorResponse(error)))
  })
  // Longer than clients keep idle connections, so that no request meets a connection that closes.
  server.keepAliveTimeout = 120_000
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const close = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve())
      server.closeAllConnections()
    })
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return { url, ...counts, close }
}

async function readJson(request: IncomingMessage): Promise<unknown> {
  const body = await readBody(request, maxBodyBytes)
  if (!body) throw new ApiError(413, 'Request body is too large')
  return parsedBody(body.toString())
}

function send(response: ServerResponse, { status, body }: ApiResponse): void {
  const bytes = Buffer.from(writeJson(body))
  response
    .writeHead(status, { 'content-type': 'application/json', 'content-length': bytes.length })
    .end(bytes)
}
