import { text } from 'node:stream/consumers'
import { expect, inject, test } from 'vitest'
import { deployedIn, type Trial } from '../../../scripts/account-trial/trial.ts'
import { updateSteps } from '../../../scripts/account-trial/update-steps.ts'
import { deployVersion, type Site, targetNow } from '../../deployed/deployment.ts'
import { newTokens } from '../../deployed/survival.ts'
import { serve } from '../../support/services/http-server.ts'
import { serviceAt, sharedService } from '../../support/services/service.ts'
import { decodeJwt } from '../../support/tokens/jwts.ts'

const { url, userJwtKey } = inject('target')

test('a deployment signs user JWTs also when the credentials of its moment have expired', async () => {
  let session = 'first'
  const kms = await serveKmsFor(() => session)
  const credentials = async () => ({
    ...{ accessKeyId: 'key', secretAccessKey: 'secret', sessionToken: session },
    expiration: new Date(0),
  })
  const aws = { region: userJwtKey.region, endpoint: kms, credentials }
  const site = siteWith(aws)
  const deployment = await deployVersion(site, 'first version')
  const ofThatTime = serviceAt(await targetNow(deployment))
  const { service } = deployedIn({ made: { site, deployment } } as Trial)
  expect(decodeJwt(await ofThatTime.userJwt()).claims).toHaveProperty('sub')
  session = 'second'
  await expect(ofThatTime.userJwt()).rejects.toThrow('The security token is expired')
  expect(decodeJwt(await service.userJwt()).claims).toHaveProperty('sub')
})

test('the tokens that must survive the updates outlive them, also if each step takes twice its time', async () => {
  const { userJwt, playerToken } = await newTokens(sharedService())
  const needed = 2 * 60 * updateSteps.reduce((sum, { minutes }) => sum + minutes, 0)
  for (const token of [userJwt, playerToken]) {
    const { iat = 0, exp = 0 } = decodeJwt(token).claims
    expect(Number(exp) - Number(iat)).toBeGreaterThan(needed)
  }
})

/** KMS, which refuses every session token but that of the moment. */
const serveKmsFor = async (session: () => string): Promise<string> =>
  await serve(async (request, response) => {
    const { 'x-amz-security-token': token, 'x-amz-target': target, authorization } = request.headers
    const type = 'application/x-amz-json-1.1'
    if (token !== session()) {
      const refusal = { __type: 'ExpiredTokenException', message: 'The security token is expired' }
      response.writeHead(400, { 'content-type': type }).end(JSON.stringify(refusal))
      return
    }
    const answer = await fetch(`${userJwtKey.endpoint}`, {
      method: 'POST',
      headers: {
        ...{ 'content-type': type, 'x-amz-target': `${target}` },
        authorization: `${authorization}`,
      },
      body: await text(request),
    })
    response.writeHead(answer.status, { 'content-type': type }).end(await answer.text())
  })

/** A place to which the service of the tests is deployed already. */
function siteWith(aws: Site['place']['aws']): Site {
  const version = {
    ...{ assembly: '', templateFile: '', nestedTemplateFiles: {}, fullTemplateFile: '' },
  }
  const outputs = { ApiUrl: url, EdgeUrl: url, UserJwtKeyArn: userJwtKey.keyId } as Awaited<
    ReturnType<Site['cdk']['deploy']>
  >
  return {
    place: { account: '210987654321', aws, environment: {} },
    cdk: {
      bootstrap: async () => undefined,
      synth: async () => version,
      deploy: async () => outputs,
      destroy: async () => undefined,
    },
    ...{ stackName: 'PlayerNfts-trial-a1b2c3', settings: {}, login: aws },
    edgeUrlOf: ({ EdgeUrl }) => EdgeUrl,
  }
}
