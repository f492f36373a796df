import { mkdirSync, writeFileSync } from 'node:fs'
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http'
import { dirname, join } from 'node:path'
import { buffer, json } from 'node:stream/consumers'
import { beforeEach, describe, expect, test } from 'vitest'
import { handler } from '../../../../infra/custom-resources/dashboard-upload/handler.ts'
import { newFolder } from '../../../support/command-fixture.ts'
import type { Json } from '../../../support/service-template.ts'
import { serve } from '../../../support/services/http-server.ts'
import { atFileEnd } from '../../../support/vitest/at-file-end.ts'

const pageSize = 2

/**
 * Starts an endpoint with an empty bucket behind the protocol of S3 (PutObject, ListObjectsV2 and DeleteObjects), and
 * sets the environment variables of lib/settings for it. Ends with the test file.
 */
async function startS3Endpoint() {
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

const s3 = await startS3Endpoint()

beforeEach(() => s3.clear())

const immutable = 'public, max-age=31536000, immutable'

const typeOf = (key: string) => (key.endsWith('.html') ? 'text/html' : 'text/javascript')

/** Makes these files, of which each has its key as its content, those of the function. */
function pack(...keys: string[]): void {
  const root = newFolder()
  const files = keys.map((key) => ({
    key,
    contentType: typeOf(key),
    cacheControl: key.endsWith('.html') ? 'no-cache' : immutable,
  }))
  writeFileSync(join(root, 'dashboard.json'), JSON.stringify(files))
  for (const key of keys) {
    const file = join(root, 'dashboard', key)
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, `the file ${key}`)
  }
  process.env['LAMBDA_TASK_ROOT'] = root
}

/** Sends a request as CloudFormation does, and returns the response of the custom resource. */
async function request(RequestType: string, KeepFiles = 'false'): Promise<Json> {
  const answered = Promise.withResolvers<Json>()
  const ResponseURL = await serve((received, response) => {
    answered.resolve(json(received))
    response.end()
  })
  const event = {
    RequestType,
    ResponseURL,
    ...{ StackId: 'stack', RequestId: 'request', LogicalResourceId: 'Files' },
    ...(RequestType === 'Create' ? {} : { PhysicalResourceId: 'dashboard-in-site' }),
    ResourceProperties: { ServiceToken: 'arn', Bucket: 'site', Version: '1', KeepFiles },
  }
  await handler(event as Parameters<typeof handler>[0])
  return await answered.promise
}

const success = { Status: 'SUCCESS', PhysicalResourceId: 'dashboard-in-site' }

const keysIn = () => [...s3.objects.keys()].sort()

/** Lets the objects of the bucket become older. */
function age(days: number): void {
  for (const object of s3.objects.values()) object.putAt -= days * 24 * 60 * 60 * 1000
}

describe('D63: the upload of the files of the dashboard', () => {
  test('puts each file with its content, its type and its Cache-Control', async () => {
    pack('index.html', 'assets/main-1.js')
    expect(await request('Create')).toMatchObject(success)
    expect(s3.objects.get('index.html')).toMatchObject({
      body: 'the file index.html',
      type: 'text/html',
      cacheControl: 'no-cache',
    })
    expect(s3.objects.get('assets/main-1.js')).toMatchObject({
      body: 'the file assets/main-1.js',
      type: 'text/javascript',
      cacheControl: immutable,
    })
    expect(keysIn()).toEqual(['assets/main-1.js', 'index.html'])
  })

  test('puts a page after all files that it may name', async () => {
    pack('index.html', 'assets/a.js', 'docs/index.html', 'docs/start.js')
    await request('Create')
    expect(s3.puts.slice(0, 2).sort()).toEqual(['assets/a.js', 'docs/start.js'])
    expect(s3.puts.slice(2).sort()).toEqual(['docs/index.html', 'index.html'])
  })

  test('puts no page if a file that it names is not accepted, and says why', async () => {
    pack('index.html', 'assets/a.js')
    s3.fail('InvalidRequest', 1)
    expect(await request('Update')).toMatchObject({
      Status: 'FAILED',
      Reason: 'The files of the dashboard could not be changed. InvalidRequest: no',
    })
    expect(s3.puts).toEqual([])
  })

  test('waits until the permissions of the deployment have their effect', async () => {
    pack('index.html')
    s3.fail('AccessDenied', 1)
    expect(await request('Create')).toMatchObject(success)
    expect(keysIn()).toEqual(['index.html'])
  })

  test('keeps the files of earlier versions for 30 days after the last version that used them', async () => {
    pack('index.html', 'assets/old.js')
    await request('Create')
    age(100)
    pack('index.html', 'assets/new.js')
    await request('Update')
    const kept = ['assets/new.js', 'assets/old.js', 'index.html', 'superseded/assets/old.js']
    expect(keysIn()).toEqual(kept)
    age(29)
    expect(await request('Update')).toMatchObject(success)
    expect(keysIn()).toEqual(kept)
    age(2)
    await request('Update')
    expect(keysIn()).toEqual(['assets/new.js', 'index.html'])
  })

  test('a version that uses a file again keeps it for as long as any other', async () => {
    pack('index.html', 'assets/old.js')
    await request('Create')
    pack('index.html', 'assets/new.js')
    await request('Update')
    age(100)
    pack('index.html', 'assets/old.js')
    await request('Update')
    expect(keysIn()).toEqual([
      ...['assets/new.js', 'assets/old.js', 'index.html', 'superseded/assets/new.js'],
    ])
  })

  test('the removal of a stack empties the bucket, unless the stack keeps its data', async () => {
    pack('index.html', 'assets/a.js', 'assets/b.js')
    await request('Create')
    expect(await request('Delete', 'true')).toMatchObject(success)
    expect(keysIn()).toHaveLength(3)
    expect(await request('Delete')).toMatchObject(success)
    expect(keysIn()).toEqual([])
  })

  test('the removal of a stack succeeds if somebody has deleted the bucket', async () => {
    s3.fail('NoSuchBucket', 1)
    expect(await request('Delete')).toMatchObject(success)
  })
})
