import { describe, expect, test } from 'vitest'
import { chosenDeployment, deploymentsOf, planOf } from '../../scripts/roll-back/deployments.ts'
import type { LiveFunction, Version } from '../../scripts/roll-back/live-functions.ts'
import { listLines, planLines, untilWhen } from '../../scripts/roll-back/report.ts'

/** The version `number`, published by the deployment `deployment` on that day of November. */
const version = (number: number, deployment: string, variables = {}): Version => ({
  number: `${number}`,
  deployment,
  publishedAt: `2026-11-${String(10 + number)}T10:00:00.000Z`,
  ...{ codeBytes: 1_000, memoryMegabytes: 1_024, timeoutSeconds: 29 },
  variables,
})

/** A function with these versions, the newest first, of which that with the number `live` serves requests. */
function functionWith(name: string, versions: Version[], live = versions[0]?.number): LiveFunction {
  const found = versions.find(({ number }) => number === live)
  const [newest] = versions
  if (!found || !newest) throw new Error('there is no such version')
  return { name, deployed: newest.deployment, live: found, isShifting: false, versions }
}

/** A function of which the deployment `bbb` serves requests, after `aaa`. */
const changed = (now: Partial<Version>, before: Partial<Version>, name = 'game') =>
  functionWith(name, [
    { ...version(2, 'bbb'), ...now },
    { ...version(1, 'aaa'), ...before },
  ])

const [a, b, c] = [version(1, 'aaa'), version(2, 'bbb'), version(3, 'ccc')]
const game = functionWith('game', [c, b, a])
const player = functionWith('player', [c, b, a])

describe('D69: the deployment to roll back to', () => {
  test('is the one before the one that serves requests, step by step', () => {
    expect(deploymentsOf([game, player]).map(({ id }) => id)).toEqual(['ccc', 'bbb', 'aaa'])
    expect(chosenDeployment([game, player]).id).toBe('bbb')
    const rolledBack = [
      functionWith('game', [c, b, a], '2'),
      functionWith('player', [c, b, a], '2'),
    ]
    expect(chosenDeployment(rolledBack).id).toBe('aaa')
    expect(listLines(rolledBack).slice(1)).toEqual([
      'ccc  2026-11-13 10:00 UTC          2  rolled back',
      'bbb  2026-11-12 10:00 UTC          2  live',
      'aaa  2026-11-11 10:00 UTC          2',
    ])
  })

  test('can be named, also if it is newer', () => {
    const rolledBack = [functionWith('game', [c, b, a], '1')]
    const target = chosenDeployment(rolledBack, 'ccc')
    expect(planOf(rolledBack, target).moves.map(({ to }) => to.number)).toEqual(['3'])
    expect(() => chosenDeployment(rolledBack, 'ddd')).toThrow('There is no deployment ddd')
  })

  test('ends with the next deploy, unless it is what was deployed last', () => {
    const functions = [game, player]
    const [deployed, earlier] = deploymentsOf(functions)
    if (!deployed || !earlier) throw new Error('there are no two deployments')
    expect(untilWhen(earlier, functions)).toBe(
      'Your next deploy that changes a function ends the roll-back. If it fails, CloudFormation restores the deployment ccc: then repeat this command with --to bbb.',
    )
    expect(untilWhen(deployed, functions)).toContain('no roll-back is in effect')
  })

  test('must be named if functions of two deployments serve requests', () => {
    const mixed = [functionWith('game', [c, b, a], '2'), player]
    expect(() => chosenDeployment(mixed)).toThrow('bbb and ccc serve requests: name the deployment')
    const plan = planOf(mixed, chosenDeployment(mixed, 'bbb'))
    expect(plan.moves.map(({ liveFunction }) => liveFunction.name)).toEqual(['player'])
  })

  test('does not exist after the first deployment', () => {
    expect(() => chosenDeployment([functionWith('game', [a])])).toThrow(
      'There is no deployment before aaa',
    )
  })

  test('has its newest version if it was deployed twice', () => {
    const again = functionWith('game', [version(3, 'aaa'), b, a])
    expect(deploymentsOf([again]).map(({ id }) => id)).toEqual(['aaa', 'bbb'])
    expect(deploymentsOf([again])[0]?.versions.get(again)?.number).toBe('3')
  })
})

describe('D69: a roll-back', () => {
  const planFor = (functions: LiveFunction[], id: string) =>
    planOf(functions, chosenDeployment(functions, id))

  test('leaves a function that the deployment did not have', () => {
    const added = functionWith('added', [c])
    const plan = planFor([game, added], 'bbb')
    expect([
      plan.moves.map(({ liveFunction }) => liveFunction.name),
      plan.newer,
      plan.doubts,
    ]).toEqual([['game'], [added], []])
  })

  test('names the variables that change', () => {
    const same = { ISSUER: 'same' }
    const functions = [
      changed({ variables: { MAINTENANCE: 'true', ...same } }, { variables: same }),
    ]
    const plan = planFor(functions, 'aaa')
    expect([plan.variables, plan.doubts]).toEqual([['MAINTENANCE'], []])
    expect(planLines(chosenDeployment(functions), plan)).toEqual([
      'To the deployment aaa, published 2026-11-11 10:00 UTC:',
      '',
      '  game  version 2 -> 1',
      '',
      'No memory and no timeout changes.',
      '',
      'Variables that change: MAINTENANCE',
      '',
    ])
  })

  test('names the memory and the timeout of each function where they change', () => {
    const small = { memoryMegabytes: 512 }
    const functions = [
      changed({}, small),
      changed(small, {}, 'player'),
      changed({}, { timeoutSeconds: 60 }, 'worker'),
      changed({}, {}, 'key'),
    ]
    expect(planLines(chosenDeployment(functions), planFor(functions, 'aaa')).slice(2)).toEqual([
      '  game    version 2 -> 1, memory 1024 -> 512 MB',
      '  player  version 2 -> 1, memory 512 -> 1024 MB',
      '  worker  version 2 -> 1, timeout 29 -> 60 s',
      '  key     version 2 -> 1',
      '',
    ])
  })

  const keys = (...names: string[]) => ({ PLAYER_TOKEN_KEY_ARNS: names.join(',') })
  const chains = { WALLET_CHAINS: 'POLYGON' }
  const listed = { LOGINS: '[{"wallets":{"chains":["POLYGON"]}}]' }
  const withdrawn = (name: string) => `may not use any more (${name})`
  const widened = (name: string) => `count on all chains (${name})`

  test.each<[string, Version['variables'], Version['variables'], doubt?: string]>([
    ['a key that has left', keys('2'), keys('2', '1'), withdrawn('PLAYER_TOKEN_KEY_ARNS')],
    ['another table', { TABLE_NAME: 'restored' }, { TABLE_NAME: 'own' }, withdrawn('TABLE_NAME')],
    ['keys that are all accepted', keys('2', '1'), keys('1', '2')],
    ['wallets on more chains', chains, {}, widened('WALLET_CHAINS')],
    ['wallets of logins on more', listed, { LOGINS: '[{"wallets":{}}]' }, widened('LOGINS')],
    ['wallets on the same chains', chains, chains],
  ])('is judged with %s', (_, now, before, doubt) => {
    const { doubts } = planFor([changed({ variables: now }, { variables: before })], 'aaa')
    expect(doubts).toEqual(doubt ? [expect.stringContaining(doubt)] : [])
  })

  test('is refused with a key that the deployment before the roll-back dropped, and the live one has', () => {
    const versions = [
      version(3, 'ccc', keys('2')),
      version(2, 'bbb', keys('1')),
      version(1, 'aaa', keys('1')),
    ]
    const functions = [functionWith('game', versions, '2')]
    expect(planFor(functions, 'aaa').doubts).toEqual([
      expect.stringContaining(withdrawn('PLAYER_TOKEN_KEY_ARNS')),
    ])
  })

  const permissions = ['1a2b']

  test('is refused if a role has lost a permission that the deployment needs', () => {
    const functions = [
      changed({ permissions }, { permissions: [...permissions, '3c4d'] }),
      changed({ permissions: [...permissions, '5e6f'] }, { permissions }, 'player'),
    ]
    expect(planFor(functions, 'aaa').doubts).toEqual([
      "The deployment aaa needs permissions that were withdrawn since from the roles of game: deploy its commit with today's settings.",
    ])
  })

  test('is not refused if the permissions of the deployment, or of its successor, are not known', () => {
    for (const unknown of [changed({ permissions }, {}), changed({}, { permissions })]) {
      expect(planFor([unknown], 'aaa').doubts).toEqual([])
    }
  })

  test('says which functions write no lines any more, because their roles may not', () => {
    const shared = { logGroup: 'shared' }
    const functions = [
      changed(shared, { logGroup: 'own' }),
      changed(shared, shared, 'player'),
      changed(shared, {}, 'worker'),
    ]
    const plan = planFor(functions, 'aaa')
    expect([plan.silent, plan.doubts]).toEqual([['game'], []])
    expect(planLines(chosenDeployment(functions), plan)).toContain(
      'These functions will write no log lines and no metrics, because their roles may not write into the log groups of the deployment aaa any more, and alarms may be wrong: game',
    )
  })

  test('is refused if the deployment has lost a version, and while an update shifts traffic', () => {
    const lost = functionWith('player', [c, a])
    expect(planFor([game, lost], 'bbb').doubts).toEqual([
      'The deployment bbb has no version of player.',
    ])
    const shifting = [{ ...game, isShifting: true }]
    expect(planFor(shifting, 'bbb').doubts).toEqual([
      expect.stringContaining('An update is shifting traffic'),
    ])
  })

  test('D148: is refused with this reason also if the update has moved other functions at once', () => {
    const shifting = { ...functionWith('game', [c, b, a], '2'), isShifting: true }
    expect(() => chosenDeployment([shifting, player])).toThrow('An update is shifting traffic')
    expect(planFor([shifting, player], 'bbb').doubts).toEqual([
      expect.stringContaining('An update is shifting traffic'),
    ])
  })
})
