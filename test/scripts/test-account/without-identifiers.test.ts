import { expect, test } from 'vitest'
import { withoutIdentifiers } from '../../deployed/account/without-identifiers.ts'

const account = '210987654321'
const path = 'kR3wS_random-path-of-9xZ'

/** What errors of AWS, of the CDK and of the API contain. */
const hostile = [
  `User: arn:aws:iam::${account}:user/owner is not authorized`,
  `arn:aws-cn:lambda:cn-north-1:${account}:function:PlayerNfts-trial-a1b2c3-get-product`,
  `(arn:aws:kms:eu-central-1:${account}:key/0f5a3c1e-7bdb-4524-a90b-b57457f6b3a9)`,
  'https://abc123.execute-api.eu-central-1.amazonaws.com/api/public/v1/product?playerToken=x',
  'getaddrinfo ENOTFOUND d111111abcdef8.cloudfront.net',
  'connect ECONNREFUSED 203.0.113.7:443 or 2001:db8:1:2::1',
  `cdk-hnb659fds-assets-${account}-eu-central-1`,
  `xyz.lambda-url.eu-central-1.on.aws/${path}/polygon-mainnet`,
  'polygon-mainnet.g.alchemy.com/nft/v3/',
  'owner@studio.example and Owner.Of+it@mail.studio.co',
  'b6f1c383-7bdb-4524-a90b-b57457f6b3a9',
  'eyJ0eXAiOiJwbGF5ZXIrand0IiwiYWxnIjoiRVMyNTYi.eyJzdWIiOiIxIn0.c2lnbmF0dXJl',
  'AKIAIOSFODNN7EXAMPLE ASIAIOSFODNN7EXAMPLE',
  'wJalrXUtnFEMIK7MDENGbPxRfiCYEXAMPLEKEY1',
  'abcDEF1234567890abcDEF1234567890abcDEF12345',
]

test.each([
  ['an account id', /\d{12}/],
  ['an ARN', /arn:/],
  ['a host name', /[\w-]+\.(?:amazonaws|cloudfront|lambda-url|on\.aws|alchemy|studio)\b/],
  ['a URL', /https?:/],
  ['an address', /203\.0\.113|2001:db8/],
  ['a mail address', /\S@\S/],
  ['an API key', /b6f1c383/],
  ['a token', /eyJ/],
  ['an access key', /AKIA|ASIA|wJalr/],
  ['a secret', /abcDEF1234|random-path/],
])('a trial does not print %s', (_, pattern) => {
  expect(hostile.map((line) => withoutIdentifiers(line, [path])).join('\n')).not.toMatch(pattern)
})

test('a line without identifiers is not changed', () => {
  const line = '✗ D69: test/api/get-allowed-nfts.test.ts: 4.8 lists NFTs (PlayerNfts-trial-a1b2c3)'
  expect(withoutIdentifiers(line, [''])).toBe(line)
})
