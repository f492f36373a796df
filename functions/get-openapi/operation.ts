import * as v from 'valibot'
import { shownText } from '../../lib/contract/answers.ts'
import type { Documentation } from '../../lib/contract/documentation.ts'
import { base, type OperationRequests, type Route } from '../../lib/contract/route.ts'

export const row = {
  id: 'getOpenapi',
  section: 'D33',
  method: 'GET',
  paths: [`${base}/openapi.json`],
  auth: 'NONE',
  answer: v.looseObject({ openapi: shownText }),
  form: 'bare',
  maxAgeSeconds: 300,
  problems: [],
} as const satisfies Route

export const requests: OperationRequests = { each: {} }

export const documentation = (): Documentation<typeof row> => ({
  tag: 'Document',
  summary: 'Get OpenAPI document',
  description: 'Returns this document. The `type` of a problem points into it.',
  answers: {
    document: {
      summary: 'How it begins',
      value: { openapi: '3.1.0', info: { title: 'Player NFTs', version: '1.0.0' } },
    },
  },
})
