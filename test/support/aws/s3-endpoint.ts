import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { serve } from '../services/http-server.ts'
import { atFileEnd } from '../vitest/at-file-end.ts'

const pageSize = 2

/**
 * Starts an endpoint with an empty bucket behind the protocol of S3 (PutObject, ListObjectsV2 and DeleteObjects), and
 * sets the environment variables of lib/settings for it. Ends with the test file.
 */
export async function startS3Endpoint() {
  const objects = new Map<string, ReturnType<typeof objectOf>>()
  /** The keys of the objects, in the order in which they were put. */
  const puts: string[] = []
  let failures = { code: '', left: 0 }
  const url = await serve(async (request, response) => {
    const { method } = request
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://s3')
    const body = await buffer(request)
    if (failures.left > 0) {
      failures.left -= 1
      return error(response, failures.code)
    }
    const [, , ...parts] = pathname.split('/').map(decodeURIComponent)
    if (method === 'PUT') {
      puts.push(parts.join('/'))
      objects.set(parts.join('/'), objectOf(request.headers, contentOf(request, body)))
      response.end()
    } else if (method === 'POST' && searchParams.has('delete')) {
      for (const [, key = ''] of body.toString().matchAll(/<Key>([^<]*)</g)) objects.delete(key)
      answer(response, '<DeleteResult/>')
    } else {
      answer(response, listOf(objects, searchParams.get('continuation-token') ?? ''))
    }
  }, atFileEnd)
  Object.assign(process.env, {
    ...{ AWS_ENDPOINT_URL: url, AWS_REGION: 'us-east-1' },
    ...{ AWS_ACCESS_KEY_ID: 'id', AWS_SECRET_ACCESS_KEY: 'secret' },
  })
  /** Sets the code of the error with which the next requests fail, and how many. */
  const fail = (code: string, requests: number) => {
    failures = { code, left: requests }
  }
  /** Empties the bucket. */
  const clear = () => {
    objects.clear()
    puts.length = 0
  }
  return { objects, puts, fail, clear }
}

/** An object of the bucket. */
const objectOf = (headers: IncomingHttpHeaders, body: string) => ({
  body,
  type: headers['content-type'],
  cacheControl: headers['cache-control'],
  putAt: Date.now(),
})

const contentOf = (request: IncomingMessage, body: Buffer): string => {
  if (request.headers['content-encoding']) throw new Error('The body is encoded')
  return body.toString()
}

/** A page of the keys, from the key `start` on. */
function listOf(objects: ReadonlyMap<string, { putAt: number }>, start: string): string {
  const keys = [...objects.keys()].sort().filter((key) => key >= start)
  const next = keys[pageSize]
  const entries = keys.slice(0, pageSize).map((key) => {
    const modified = new Date(objects.get(key)?.putAt ?? 0).toISOString()
    return `<Contents><Key>${key}</Key><LastModified>${modified}</LastModified></Contents>`
  })
  const more = next ? `<NextContinuationToken>${next}</NextContinuationToken>` : ''
  const rest = `<IsTruncated>${next !== undefined}</IsTruncated>${more}`
  return `<ListBucketResult>${entries.join('')}${rest}</ListBucketResult>`
}

function answer(response: ServerResponse, xml: string): void {
  response.setHeader('content-type', 'application/xml')
  response.end(`<?xml version="1.0" encoding="UTF-8"?>${xml}`)
}

function error(response: ServerResponse, code: string): void {
  response.statusCode = code === 'NoSuchBucket' ? 404 : 403
  answer(response, `<Error><Code>${code}</Code><Message>no</Message></Error>`)
}
