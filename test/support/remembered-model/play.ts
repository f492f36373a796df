import { type Followers, startFollowers } from './followers.ts'
import { happen } from './happenings.ts'
import type { Happening, History } from './history.ts'
import { expectThat, Violation } from './oracle.ts'
import { read } from './readers.ts'
import { goodNodes } from './simulated-events.ts'
import { followedChain, newWorld, playerWallets, type World } from './world.ts'

/** Plays a history, with all reads judged, and expects the truth after quiet. Returns what was counted. */
export async function play(history: History): Promise<World['counts']> {
  const world = newWorld(history)
  const followers = startFollowers(world)
  const failed = new Promise<never>((_, reject) => {
    followers.fail = reject
  })
  failed.catch(() => undefined)
  const story = Promise.race([failed, tell(world, followers)])
  await world.time.runUntil(story)
  await story
  return world.counts
}

async function tell(world: World, followers: Followers): Promise<void> {
  const running: Promise<void>[] = []
  for (const { wait, event } of world.history.events) {
    await world.time.sleep(wait)
    // What goes on could read what nobody can know to have vanished yet.
    if (event.kind === 'betweenPolls') await Promise.all(running)
    const process = happen(world, event, followers)
    // An error is found when all processes have ended.
    process.catch(() => undefined)
    running.push(process)
    if (isAlone(event)) await process
  }
  await Promise.all(running)
  await endInQuiet(world, followers)
}

const scenarios = new Set<Happening['kind']>([
  ...(['orphan', 'forget', 'stagger', 'burst', 'lateLease', 'suspend'] as const),
  ...(['switchBranch', 'shareSecond', 'nodeBehind', 'betweenPolls', 'listInParts'] as const),
])

/** Whether nothing else happens during an event. */
const isAlone = (event: Happening): boolean =>
  scenarios.has(event.kind) || (event.kind === 'gap' && event.milliseconds > 1_000_000)

/** How long nothing happens at the end: longer than an answer is remembered, and than the indexer is late. */
const quietMilliseconds = 120_000

/** Expects the truth after nothing has happened for a while, and then from what is remembered. */
async function endInQuiet(world: World, followers: Followers): Promise<void> {
  const { time, nodes, indexer, history, table } = world
  Object.assign(indexer, { isDown: false, isRefused: false, statedAge: 0, lag: 'full' })
  Object.assign(nodes, goodNodes)
  followers.pausedUntil = 0
  followers.killAt = undefined
  await time.sleep(quietMilliseconds)
  // The reads make the contracts followed again.
  const players = [...playerWallets.keys()]
  for (const player of players) expectTruth(world, player, await read(world, player, 0))
  // A chain without a leased contract is polled once a minute (D89). A movement that this poll notes counts from it, and
  // a reading is used when it has settled after that.
  await time.sleep(75_000 + world.settlingMilliseconds)
  for (const player of players) expectTruth(world, player, await read(world, player, 0))
  await time.sleep(5_000)
  const isLimited =
    history.logsPerMinute < 1_000 ||
    history.rememberFollowedSeconds < 86_400 ||
    [...table.contracts.values()].some(({ suspendedUntil = 0 }) => suspendedUntil > time.now())
  for (const player of players) {
    const answer = await read(world, player, 0)
    expectTruth(world, player, answer)
    const asked = answer.calls.filter(({ chain }) => chain === followedChain)
    if (!isLimited) expectThat(asked.length === 0, 'after quiet, reads are remembered', asked)
  }
}

type Answer = Awaited<ReturnType<typeof read>>

function expectTruth(world: World, player: number, { entries, failure }: Answer): void {
  if (failure) throw new Violation(`after quiet, a read fails: ${failure}`)
  const now = world.time.now()
  const held = [...world.chains].flatMap(([chain, { tipAt }]) =>
    (playerWallets[player] ?? []).flatMap((wallet) =>
      [...tipAt(now).state.owners.entries()]
        .filter(([, owner]) => owner === wallet)
        .filter(([token]) => world.allowlist.everAllowed(`${chain} ${token}`, now, now))
        .map(([token]) => `${chain} ${wallet} ${token}`),
    ),
  )
  const shown = entries.map(({ chain, owner, tokenId }) => `${chain} ${owner} ${tokenId}`)
  expectThat(
    `${held.sort()}` === `${shown.sort()}`,
    'after quiet, everybody sees the truth',
    held,
    shown,
  )
}
