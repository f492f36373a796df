import { readFile, writeFile } from 'node:fs/promises'

/** The resources of the follower and of its schedule. */
const isFollower = (id: string) => /^(Functionsfollowchains|ChainFollowers)/.test(id)

/**
 * Changes a template to the form that it had before D89: a function for each chain, with a schedule of its own, in place of
 * one for all chains. The code is that of today, for one chain.
 */
export async function withFollowerForEach(templateFile: string): Promise<void> {
  const template = JSON.parse(await readFile(templateFile, 'utf8'))
  const entries = Object.entries(template.Resources)
  const followers = Object.fromEntries(entries.filter(([id]) => isFollower(id)))
  const others = Object.fromEntries(entries.filter(([id]) => !isFollower(id)))
  const [, chains = ''] = /"FOLLOWED_CHAINS":"([^"]*)"/.exec(JSON.stringify(followers)) ?? []
  const copies = chains.split(',').map((chain) => copyFor(chain, followers, chains))
  template.Resources = Object.assign(others, ...copies)
  await writeFile(templateFile, JSON.stringify(template, null, 1))
}

function copyFor(chain: string, followers: object, all: string): object {
  const ids = Object.keys(followers).toSorted((a, b) => b.length - a.length)
  const name = `-follow-chain-${chain.toLowerCase()}`
  const text = ids.reduce(
    (copied, id) => copied.replaceAll(`"${id}"`, `"${id}${chain}"`),
    JSON.stringify(followers),
  )
  return JSON.parse(
    text
      .replaceAll('-follow-chains', name)
      .replaceAll(`"FOLLOWED_CHAINS":"${all}"`, `"FOLLOWED_CHAINS":"${chain}"`),
  )
}
