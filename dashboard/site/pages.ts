/** The file of the first page. */
export const startSource = 'README.md'

/** The file of which each section is a page of its own. */
export const splitSource = 'docs/reference.md'

/** The readers, what they want to do, and the files that say how, in the order of the navigation. */
const table = `
Games | Decide | docs/why.md docs/costs.md docs/chains.md
Games | Call the API | docs/api.md docs/reference.md clients/typescript/README.md docs/dashboard.md
Games | Choose and read NFTs | docs/allowlists.md docs/metadata.md docs/ownership.md
Games | Hear of changes | docs/webhooks.md docs/webhook-events.md
Games | Find what is missing | docs/missing.md
Games | Copy an example | examples/game-server/README.md examples/browser-page/README.md
Platforms | Sign players in | docs/connect-your-platform.md docs/wallet-sign-in.md
Operators | Deploy | docs/first-day.md docs/settings.md docs/changes.md docs/pipeline.md docs/account-trial.md
Operators | Keep it running | docs/operations.md docs/runbook.md docs/alarms.md
Operators | Plan growth | docs/requests.md docs/quotas.md docs/scale.md docs/performance.md
Contributors | Change the service | CONTRIBUTING.md docs/architecture.md docs/specification.md docs/decisions.md docs/local-aws.md
Contributors | Follow the project | SECURITY.md CHANGELOG.md
`

/** Every page but the first one, by reader and task. Titles are the first headings of the files. */
export const pageGroups = table
  .trim()
  .split('\n')
  .map((row) => {
    const [reader = '', task = '', sources = ''] = row.split(' | ')
    return { reader, task, sources: sources.split(' ') }
  })

/** The name of the page of a file: `docs/api.md` is `api.html`, and `clients/typescript/README.md` is `client-typescript.html`. */
export function pageName(source: string): string {
  if (source === startSource) return 'index.html'
  const [, kind, folder] = /^(client|example)s\/([^/]+)\/README\.md$/.exec(source) ?? []
  const name = kind ? `${kind}-${folder}` : source.replace(/^docs\/|\.md$/g, '').toLowerCase()
  return `${name}.html`
}
