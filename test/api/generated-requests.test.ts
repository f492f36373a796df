import { describe, inject, test } from 'vitest'
import { type OperationId, routes } from '../../functions/operations.ts'
import type { Route } from '../../lib/contract/route.ts'
import { problemsOf } from '../../lib/contract/route.ts'
import { acceptedRequest } from '../support/accepted-requests.ts'
import { forRequests, generatedRequest } from '../support/requests/generated-requests.ts'
import { invokeFunction } from '../support/requests/invoke-function.ts'
import { expectWellFormedProblem } from '../support/requests/problem.ts'
import { startContainers } from '../support/services/containers.ts'
import { sharedService } from '../support/services/service.ts'

const service = sharedService()
const table = Object.entries(routes) as [OperationId, Route][]

/** .ci/soak sends 10,000 requests to each route, which takes minutes. */
const generatedRequests = Number(process.env['GENERATED_REQUESTS'] ?? 80)

/** A test of a webhook waits for its result, about half a second. */
const countOf = (id: OperationId): number =>
  id === 'testWebhook' ? Math.min(generatedRequests, 300) : generatedRequests

// Calls the functions directly, because this number of requests is too high for sockets.
describe(`every route with ${generatedRequests} generated requests`, () => {
  const host = startContainers(inject('functions'))

  test.each(table)(
    '%s returns a success or a problem that its row in the route table names, never 500',
    { timeout: 900_000 },
    async (id, route) => {
      const accepted = await acceptedRequest(service, id)
      const known = problemsOf(route).filter((code) => code !== 'internal_error')
      const requests = generatedRequest(route, accepted)
      await forRequests(requests, countOf(id), async (sent) => {
        const answer = await invokeFunction(host, id, sent)
        if (answer.status === 200) return
        expectWellFormedProblem(answer, route)
        if (!known.includes(answer.json.code)) throw new Error(answer.text)
      })
    },
  )
})
