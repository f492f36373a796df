import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { App } from 'aws-cdk-lib'
import { Template } from 'aws-cdk-lib/assertions'
import { expect, test } from 'vitest'
import { bundleFile } from '../../../infra/bundle/bundle.ts'
import { IndexerStack, sampleIndexer } from '../../../scripts/account-trial/indexer-stack.ts'
import { newFolder } from '../../support/command-fixture.ts'
import { atFileEnd } from '../../support/vitest/at-file-end.ts'

const functionsDir = newFolder(atFileEnd)
const file = bundleFile(functionsDir, sampleIndexer)
mkdirSync(dirname(file), { recursive: true })
writeFileSync(file, '')
const app = new App({ outdir: newFolder(atFileEnd), analyticsReporting: false })
const props = { stage: 'trial-a1b2c3', path: 'secret-path', startedAt: 1, functionsDir }
const template = Template.fromStack(new IndexerStack(app, props))

test('the sample indexer has a function URL, and a secret path that only the trial knows', () => {
  template.hasResourceProperties('AWS::Lambda::Function', {
    FunctionName: 'PlayerNfts-trial-a1b2c3-indexer-sample-indexer',
    Environment: { Variables: { INDEXER_PATH: 'secret-path', STARTED_AT: '1' } },
    Tags: [
      { Key: 'service', Value: 'player-nfts' },
      { Key: 'stage', Value: 'trial-a1b2c3' },
    ],
  })
  template.hasResourceProperties('AWS::Lambda::Url', { AuthType: 'NONE' })
  const permissions = template.findResources('AWS::Lambda::Permission')
  // Since October 2025, a function URL needs both: https://docs.aws.amazon.com/lambda/latest/dg/urls-auth.html
  expect(
    Object.values(permissions)
      .map(({ Properties }) => Properties.Action)
      .sort(),
  ).toEqual(['lambda:InvokeFunction', 'lambda:InvokeFunctionUrl'])
  template.hasResource('AWS::Logs::LogGroup', { DeletionPolicy: 'Delete' })
  expect(Object.values(template.findOutputs('*'))).toHaveLength(1)
})
