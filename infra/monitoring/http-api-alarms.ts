import { Duration } from 'aws-cdk-lib'
import { Stats } from 'aws-cdk-lib/aws-cloudwatch'
import type { AlarmRow } from './alarm-row.ts'
import { rollBackAfterUpdate } from './alarm-row.ts'
import { groupedAccess, type Step, step } from './logs-insights.ts'
import {
  allFailures,
  kindOf,
  leastOfKind,
  loggedMetric,
  longPeriod,
  percentage,
  period,
} from './metrics.ts'
import { failuresByReason, rejectionsByReason } from './shared-steps.ts'

const errorsOfTheGateway: Step = step(
  'If there are no such lines, the function was throttled or did not run to its end. See the alarm function-throttles and the access log, whose `lambdaRequestId` is in the lines of Lambda:',
  { subject: 'server-errors', name: 'errors-of-the-gateway', logs: 'access log' },
  'filter status >= 500',
  groupedAccess('count()', 'route, status, functionError'),
)

/** The metric of the functions can arrive after that of API Gateway, but not by more than one of the two periods. */
export const serverErrors: AlarmRow = {
  name: 'server-errors',
  urgency: 'at once',
  description:
    'Callers receive 5xx statuses. The value is their percentage without indexer_unavailable and chain_unavailable, 0 if fewer than 5.',
  threshold: 1,
  unit: '%',
  periods: 2,
  firstSteps: [failuresByReason, errorsOfTheGateway, rollBackAfterUpdate],
  resolution: [
    '`indexer_unavailable` and `chain_unavailable` are not counted here: [indexer-failures](#indexer-failures) and [smart-account-failures](#smart-account-failures) are about them.',
    '`service_unavailable`: the reason names the AWS service. See the health page of that service, [table-throttles](#table-throttles) and [login-failures](#login-failures). The reason `key set of the login: …` is that of [key-set-failures](#key-set-failures).',
    '`internal_error`: a defect in the code. The line with the same `requestId` and the field `defect` has the stack trace.',
  ],
  metrics: (resources) => {
    const errors = resources.api.api.metricServerError({ statistic: Stats.SUM, period })
    const unavailable = loggedMetric('indexerUnavailableAnswers', resources)
    return percentage(
      errors,
      5,
      '5xx but indexer_unavailable, % of answers',
      resources,
      unavailable,
    )
  },
}

/** The server errors of the service itself, while none of the requests of running games succeeds (D149). */
export const allRequestsFail: AlarmRow = {
  name: 'all-requests-fail',
  urgency: 'at once',
  description:
    'No request of a running game succeeds. The value is the number of 5xx but indexer_unavailable, 0 while a request succeeds.',
  threshold: leastOfKind,
  unit: 'responses',
  periods: 1,
  window: '30 minutes',
  firstSteps: [failuresByReason, errorsOfTheGateway, rollBackAfterUpdate],
  resolution: ['What the reasons mean, and what to do: [server-errors](#server-errors).'],
  metrics: (resources) => {
    const { lowest, failed } = kindOf('serverErrorAnswers', resources)
    const unanswered = resources.api.accessLog.metricOf('unansweredRequests', longPeriod)
    return allFailures(
      { lowest, failed: { ...failed, unanswered } },
      '5xx while no request succeeds',
    )
  },
}

export const throttledRequests: AlarmRow = {
  name: 'throttled-requests',
  urgency: 'the same day',
  description:
    'API Gateway itself responded to requests with 429. The value is their number. The limits of the service respond with 429 `rate_limited`, which is not counted here.',
  threshold: 100,
  unit: 'requests',
  periods: 2,
  firstSteps: [
    step(
      'Group the throttled requests by route and address, in the access log:',
      { name: 'throttled-by-address', logs: 'access log' },
      'filter status = 429 and functionMilliseconds = "-"',
      groupedAccess('count() as requests', 'route, sourceIp'),
      'sort requests desc',
      'limit 20',
    ),
    'Behind [CloudFront](changes.md#cloudfront), `sourceIp` is an address of CloudFront. Read the addresses of callers in the sampled requests of the web ACL.',
  ],
  resolution: [
    'Requests from one address: a game that sends requests in a loop, or an attack. Talk to the studio, or put [CloudFront with a web ACL](changes.md#cloudfront) in front of the API.',
    'Requests from many addresses: the service has grown. Raise the [quotas](quotas.md), then `accountConcurrency`, from which the stack calculates its [throttles](operations.md#throttles). Deploy.',
  ],
  metrics: ({ api }) => api.accessLog.metricOf('throttledRequests', period),
}

export const rejectedCredentials: AlarmRow = {
  name: 'rejected-credentials',
  urgency: 'at once',
  description:
    'API keys, user JWTs or player tokens of many callers are rejected, which they notice as an outage. The value is the percentage of responses with 401, 0 if there are fewer than 100.',
  threshold: 25,
  unit: '%',
  periods: 2,
  firstSteps: [
    rejectionsByReason(
      'Find out which credential is rejected, why, since when, and of how many players, in the log groups of the functions:',
    ),
    step(
      'Look for a single address, in the access log:',
      { name: 'rejections-by-address', logs: 'access log' },
      'filter status = 401',
      groupedAccess('count() as requests', 'sourceIp, route'),
      'sort requests desc',
      'limit 20',
    ),
    'Compare the beginning with the time of the last change at the login, and of the last deploy: `npm run --silent roll-back -- --stack $STACK --list`',
  ],
  resolution: [
    'The [reasons of a 401](runbook.md#the-reasons-of-a-401) say what each `reason` means, and what a `kid` is.',
    '`invalid_player_token` or `invalid_user_token` of all products since a deploy: a key was left out of `playerTokenKeys` or `userJwtKeys`, or `issuer` or an audience has changed. Set the value from before and deploy ([taking a key back](runbook.md#taking-a-key-back)).',
    '`invalid_user_token` without a deploy: the login signs with a new key, or its clock is wrong. Ask its operators ([connecting a login](changes.md#connecting-a-login)).',
    '`invalid_api_key` of one studio: it uses a key that has ended. Write to its `contactEmail` ([a noisy product](runbook.md#a-noisy-product)).',
    'One address without a product: somebody guesses credentials, which have too many values to be guessed. Block the address with a [web ACL](changes.md#cloudfront).',
  ],
  metrics: (resources) =>
    percentage(
      resources.api.accessLog.metricOf('rejectedCredentials', period),
      100,
      '401, % of answers',
      resources,
    ),
}

/** The refused credentials of running games, while none is accepted (D149). */
export const allCredentialsRejected: AlarmRow = {
  name: 'all-credentials-rejected',
  urgency: 'at once',
  description:
    'No API key and no player token of a running game is accepted, and at least three were rejected for a reason that can lie with the deployment: the key, the issuer, the audience or the table. The value is their number, 0 while one is accepted.',
  threshold: leastOfKind,
  unit: 'responses',
  periods: 1,
  window: '30 minutes',
  firstSteps: [
    rejectionsByReason('Find out which credential is rejected, why, and of which product:'),
    rollBackAfterUpdate,
  ],
  resolution: [
    'Several products: [rejected-credentials](#rejected-credentials) says what to do.',
    'One product, while no other calls: its studio may use the key or the tokens of another stage. Write to its `contactEmail` ([a noisy product](runbook.md#a-noisy-product)).',
    'No product: somebody sends API keys that there are not. Look for a single address in `rejected-credentials/rejections-by-address`.',
  ],
  metrics: (resources) =>
    allFailures(kindOf('credentialFailures', resources), '401 while no credential is accepted'),
}

export const silence: AlarmRow = {
  name: 'silence',
  urgency: 'at once',
  description: 'No request has reached the API. Callers that cannot reach it cause no error here.',
  threshold: 1,
  isBelow: true,
  unit: 'requests',
  periods: 1,
  window: 'the time of the setting `silenceAlarmMinutes`; without it, there is no such alarm',
  firstSteps: [
    "Call the API from outside of AWS, at the address that the games use: `curl -w '\\n' -i https://…/api/public/v1/public-key`",
    'Without a response: look at the DNS record, at the certificate of the domain, and at the health page of API Gateway and CloudFront.',
    'With a response: ask the operators of the login and of the largest game whether they call.',
  ],
  resolution: [
    'The certificate has expired: ACM renews it only while the DNS record of its validation exists. Restore the record.',
    'The DNS record is wrong: point it at the output `DomainTarget` or [`EdgeTarget`](changes.md#cloudfront).',
    'Nobody plays at this time: set a longer `silenceAlarmMinutes`, and deploy.',
  ],
  isIn: ({ silenceAlarmMinutes }) => silenceAlarmMinutes !== undefined,
  metrics: ({ api }, { silenceAlarmMinutes = 60 }) =>
    api.api.metricCount({ statistic: Stats.SUM, period: Duration.minutes(silenceAlarmMinutes) }),
}
