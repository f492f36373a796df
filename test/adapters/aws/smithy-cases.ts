import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { testsIn } from './smithy-model.ts'

/**
 * Writes smithy-cases.json: Smithy's test cases of awsJson1_0 and awsJson1_1 for clients, without their prose.
 *
 *     node test/adapters/aws/smithy-cases.ts smithy-aws-protocol-tests-<version>.jar
 *
 * The file is software.amazon.smithy:smithy-aws-protocol-tests on Maven Central. Needs the command `unzip`.
 */

const [, , jar = ''] = process.argv
const fileNames = execFileSync('unzip', ['-Z1', jar]).toString().split('\n')

/** The models of both protocols. No service of this project compresses its requests. */
const models = fileNames
  .filter((name) => /smithy\/awsJson1_[01]\/(?!requestCompression)[\w-]+\.smithy$/.test(name))
  .sort()
  .map((name) => execFileSync('unzip', ['-p', jar, name]).toString())

/** The names of the members of these kinds. */
const membersOf = (kinds: RegExp): string[] => {
  const members = models.flatMap((model) => [...model.matchAll(/^ +(\w+): (\w+)(?: = .+)?$/gm)])
  const names = members.flatMap(([, name = '', kind = '']) => (kinds.test(kind) ? name : []))
  return [...new Set(names)].sort()
}

/** The names of the structures that are errors. */
const errors = new Set(
  models.flatMap((model) =>
    Array.from(model.matchAll(/@error\("\w+"\)\n(?:@.*\n)*structure (\w+)/g), ([, name]) => name),
  ),
)

const versionOf = (protocol: string) => protocol.replace('awsJson', '').replace('_', '.')

/** The cases for clients in a trait, one in a line. Those with a host are about endpoints. */
const linesOf = (trait: string) =>
  models
    .flatMap((model) => testsIn(model, trait))
    .filter(({ appliesTo, host }) => appliesTo !== 'server' && !host)
    .map(({ shape, id, protocol, code, headers, body, params }) => ({
      ...{ id, version: versionOf(protocol), code, headers, body, params },
      ...(errors.has(shape) && { error: shape }),
    }))
    .map((testCase) => `    ${JSON.stringify(testCase)}`)
    .join(',\n')

const text = `{
  "source": "software.amazon.smithy:${basename(jar)}, Apache License 2.0",
  "bytes": ${JSON.stringify(membersOf(/Blob$/))},
  "times": ${JSON.stringify(membersOf(/^(Timestamp|DateTime|HttpDate|EpochSeconds)$/))},
  "requests": [
${linesOf('httpRequestTests')}
  ],
  "responses": [
${linesOf('httpResponseTests')}
  ]
}
`
writeFileSync(join(import.meta.dirname, 'smithy-cases.json'), text)
