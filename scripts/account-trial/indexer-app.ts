// The CDK app of the sample indexer of a trial. The trial passes the properties of the stack as JSON in the context
// `indexer`.

import { join } from 'node:path'
import { App } from 'aws-cdk-lib'
import recommendedFlags from 'aws-cdk-lib/recommended-feature-flags.json' with { type: 'json' }
import { bundleFunctions } from '../../infra/bundle/bundle.ts'
import { IndexerStack, type IndexerStackProps, sampleIndexer } from './indexer-stack.ts'

const app = new App({ context: recommendedFlags, analyticsReporting: false })
const props: IndexerStackProps = JSON.parse(app.node.getContext('indexer'))
const handler = join(import.meta.dirname, '../../local/indexer', sampleIndexer, 'handler.ts')
await bundleFunctions({ entryPoints: [handler], outDir: props.functionsDir, needsWholeSdk: true })
new IndexerStack(app, props)
app.synth()
